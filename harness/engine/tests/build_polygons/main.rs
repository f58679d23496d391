//! Contours, polygons, detail and the finished mesh, on heightfields drawn as text. SPEC.md, chapter BUILD.

mod detail;
mod fields;
mod properties;
mod reports;
mod shapes;
