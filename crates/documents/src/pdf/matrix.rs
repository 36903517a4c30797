//! Affine transforms and points of a page.

use lopdf::Object;

/// A transform as PDF writes it: `a b c d e f`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Matrix([f32; 6]);

impl Matrix {
    pub(super) const NONE: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    pub(super) fn translation(x: f32, y: f32) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// The transform of text with a font size, a horizontal scale and a rise.
    pub(super) fn text_scale(size: f32, scale: f32, rise: f32) -> Self {
        Self([size * scale, 0.0, 0.0, size, 0.0, rise])
    }

    /// The six operands of an operation; `None` if there are fewer.
    pub(super) fn read(numbers: &[Object]) -> Option<Self> {
        let mut six = [0.0; 6];
        for (number, to) in six.iter_mut().enumerate() {
            *to = numbers.get(number)?.as_float().ok()?;
        }
        Some(Self(six))
    }

    /// This transform followed by another.
    pub(super) fn then(self, other: Self) -> Self {
        let [a, b, c, d, e, f] = self.0;
        let [g, h, i, j, k, l] = other.0;
        Self([
            a * g + b * i,
            a * h + b * j,
            c * g + d * i,
            c * h + d * j,
            e * g + f * i + k,
            e * h + f * j + l,
        ])
    }

    /// The image of the origin.
    pub(super) fn origin(self) -> Point {
        let [.., x, y] = self.0;
        Point { x, y }
    }

    /// The height that a glyph of height 1 gets.
    pub(super) fn height(self) -> f32 {
        let [_, _, c, d, ..] = self.0;
        c.hypot(d)
    }
}

/// A position, or a vector between two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub x: f32,
    pub y: f32,
}

impl Point {
    pub(super) fn from(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    pub(super) fn length(self) -> f32 {
        self.x.hypot(self.y)
    }

    /// The dot product: the length along `other`, a unit vector.
    pub(super) fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// The cross product: the distance to the right of `other`, a unit vector. For a line of text
    /// that is downwards.
    pub(super) fn cross(self, other: Self) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// The unit vector of the same direction; `None` for a zero vector.
    pub(super) fn unit(self) -> Option<Self> {
        let length = self.length();
        (length.is_normal()).then(|| Self { x: self.x / length, y: self.y / length })
    }
}
