//! A file as a tree of its fields, so that a length or count can be changed and what encloses it fixed up.
//!
//! [`crate::grammar`] makes trees from files that are accepted, [`crate::patch`] changes them, [`write`] makes a file again.
//! Lengths and counts are computed when the tree is written, unless a [`Claim`] makes them lie.

/// What may stand in a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Range {
    /// A signed integer from `min` to `max`.
    Int { min: i64, max: i64 },
    /// A double from `min` to `max`.
    Float { min: f64, max: f64 },
    /// Any bits.
    Bits,
}

/// A field of fixed width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// 1, 2, 4 or 8 bytes.
    pub(crate) width: usize,
    /// Its bits; those above `width` are not written.
    pub(crate) bits: u64,
    pub(crate) range: Range,
}

/// What a length or count says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Claim {
    /// The truth.
    #[default]
    Truth,
    /// The truth and this much more.
    TruthAnd(i8),
    /// Its limit and this much more.
    LimitAnd(i8),
    /// As much as the bytes left in the file allow, and this much more.
    LeftAnd(i8),
    /// This.
    Value(i32),
}

/// A length in bytes (i32), then so many bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub(crate) claim: Claim,
    pub(crate) limit: i64,
    pub(crate) content: Vec<Node>,
}

/// The count of a list.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Count {
    /// 1 or 4 bytes.
    pub(crate) width: usize,
    pub(crate) claim: Claim,
    pub(crate) limit: i64,
    /// The fewest bytes that an item takes.
    pub(crate) item_bytes: u64,
}

/// What lists are filled with to reach a limit in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filling {
    /// Operations of one step.
    Operations,
    /// Live records: operations, then a step record.
    Records,
}

/// Counts, whatever stands between them and the items, then one list of items for each count; lists beyond the counts have as
/// many items as the first, and change with it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Lists {
    pub(crate) counts: Vec<Count>,
    pub(crate) between: Vec<Node>,
    pub(crate) lists: Vec<Vec<Node>>,
    pub(crate) filling: Option<Filling>,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Number(Number),
    Bytes(Vec<u8>),
    Record(Vec<Node>),
    Block(Block),
    Lists(Lists),
}

/// The file that the nodes make.
pub(crate) fn write(nodes: &[Node]) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.nodes(nodes);
    let Writer { mut out, lies } = writer;
    for lie in lies {
        let left = out.len().saturating_sub(lie.at + 4) as u64;
        let value = i64::try_from(left / lie.item_bytes).unwrap_or(i64::MAX).saturating_add(i64::from(lie.more));
        if let Some(place) = out.get_mut(lie.at..lie.at + 4) {
            place.copy_from_slice(&saturating_i32(value).to_le_bytes());
        }
    }
    out
}

/// How many bytes the nodes make.
pub(crate) fn length(nodes: &[Node]) -> usize {
    write(nodes).len()
}

/// A field of four bytes that depends on the bytes left after it.
struct Lie {
    at: usize,
    item_bytes: u64,
    more: i8,
}

#[derive(Default)]
struct Writer {
    out: Vec<u8>,
    lies: Vec<Lie>,
}

impl Writer {
    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Number(number) => self.out.extend_from_slice(&number.bits.to_le_bytes()[..number.width]),
                Node::Bytes(bytes) => self.out.extend_from_slice(bytes),
                Node::Record(nodes) => self.nodes(nodes),
                Node::Block(block) => {
                    let at = self.out.len();
                    self.out.extend_from_slice(&[0; 4]);
                    self.nodes(&block.content);
                    let truth = self.out.len() - at - 4;
                    self.claim(at, 4, block.claim, truth, block.limit, 1);
                }
                Node::Lists(lists) => self.lists(lists),
            }
        }
    }

    fn lists(&mut self, lists: &Lists) {
        for (count, list) in lists.counts.iter().zip(&lists.lists) {
            let at = self.out.len();
            self.out.extend_from_slice(&[0; 4][..count.width]);
            self.claim(at, count.width, count.claim, list.len(), count.limit, count.item_bytes);
        }
        self.nodes(&lists.between);
        for list in &lists.lists {
            self.nodes(list);
        }
    }

    fn claim(&mut self, at: usize, width: usize, claim: Claim, truth: usize, limit: i64, item_bytes: u64) {
        let truth = i64::try_from(truth).unwrap_or(i64::MAX);
        let value = match claim {
            Claim::Truth => truth,
            Claim::TruthAnd(more) => truth.saturating_add(i64::from(more)),
            Claim::LimitAnd(more) => limit.saturating_add(i64::from(more)),
            Claim::Value(value) => i64::from(value),
            Claim::LeftAnd(more) => {
                if width == 4 {
                    self.lies.push(Lie { at, item_bytes, more });
                }
                truth
            }
        };
        if let Some(place) = self.out.get_mut(at..at + width) {
            place.copy_from_slice(&saturating_i32(value).to_le_bytes()[..width]);
        }
    }
}

fn saturating_i32(value: i64) -> i32 {
    i32::try_from(value).unwrap_or(if value < 0 { i32::MIN } else { i32::MAX })
}

/// Every part of a tree that a patch can change, in file order.
#[derive(Default)]
pub(crate) struct Parts<'n> {
    pub(crate) numbers: Vec<&'n mut Number>,
    pub(crate) claims: Vec<&'n mut Claim>,
}

/// The numbers and claims of the nodes.
pub(crate) fn parts(nodes: &mut [Node]) -> Parts<'_> {
    let mut parts = Parts::default();
    collect(nodes, &mut parts);
    parts
}

fn collect<'n>(nodes: &'n mut [Node], parts: &mut Parts<'n>) {
    for node in nodes {
        match node {
            Node::Number(number) => parts.numbers.push(number),
            Node::Bytes(_) => {}
            Node::Record(nodes) => collect(nodes, parts),
            Node::Block(block) => {
                parts.claims.push(&mut block.claim);
                collect(&mut block.content, parts);
            }
            Node::Lists(lists) => {
                parts.claims.extend(lists.counts.iter_mut().map(|count| &mut count.claim));
                collect(&mut lists.between, parts);
                for list in &mut lists.lists {
                    collect(list, parts);
                }
            }
        }
    }
}

/// Gives the `index`-th group of lists (of `count_lists`) to `change`.
pub(crate) fn change_lists(nodes: &mut [Node], index: usize, change: &mut dyn FnMut(&mut Lists)) {
    let mut left = index;
    walk_lists(nodes, &mut |lists| {
        let here = left == 0;
        left = left.wrapping_sub(1);
        if here {
            change(lists);
        }
    });
}

/// How many groups of lists there are.
pub(crate) fn count_lists(nodes: &mut [Node]) -> usize {
    let mut count = 0;
    walk_lists(nodes, &mut |_| count += 1);
    count
}

/// A group is given after the groups inside it, so it may change.
fn walk_lists(nodes: &mut [Node], see: &mut dyn FnMut(&mut Lists)) {
    for node in nodes {
        match node {
            Node::Number(_) | Node::Bytes(_) => {}
            Node::Record(nodes) => walk_lists(nodes, see),
            Node::Block(block) => walk_lists(&mut block.content, see),
            Node::Lists(lists) => {
                walk_lists(&mut lists.between, see);
                for list in &mut lists.lists {
                    walk_lists(list, see);
                }
                see(lists);
            }
        }
    }
}
