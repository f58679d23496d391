//! SplitMix64, the one source of randomness of scenarios: 64 bits of state, the same numbers everywhere.
//!
//! Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014. Integers only; a double is made of the upper
//! 53 bits, so that it is exact.

/// A SplitMix64 generator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to below 1: one of 2^53.
    pub fn unit(&mut self) -> f64 {
        // 53 bits, so neither the conversion nor the product is rounded.
        (self.next_u64() >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// A number from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    #[test]
    fn it_is_the_published_generator() {
        let mut random = SplitMix64::new(1_234_567);
        let found: Vec<u64> = (0..5).map(|_| random.next_u64()).collect();
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(found, published);
    }

    #[test]
    fn doubles_are_below_one() {
        let mut random = SplitMix64::new(0);
        assert!((0..1000).map(|_| random.unit()).all(|x| (0.0..1.0).contains(&x)));
    }
}
