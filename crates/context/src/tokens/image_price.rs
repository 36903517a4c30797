//! The tokens that providers charge for an image of a given size.
//!
//! Formulas as published: OpenAI "Images and vision", Anthropic "Vision", Google "Understand and count
//! tokens" and "Media resolution", Alibaba "Visual understanding". None depends on the size of the file.

/// The formula by which a family of models charges for an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ImagePrice {
    /// Scaled into 2048 × 2048, then its short side to 768; `base` tokens, and `tile` tokens per 512 × 512.
    Tiles { base: u32, tile: u32 },
    /// Patches of 32 × 32, at most `most` of them, times a factor in hundredths.
    Patches { most: u32, hundredths: u32 },
    /// A token per 750 pixels, after scaling to a longest side, at most `most`.
    Area { longest: u32, most: u32 },
    /// 258 up to 384 × 384; above, 258 for each tile.
    GeminiTiles,
    /// The same for every image.
    Flat { tokens: u32 },
    /// Patches of 28 × 28 after scaling, at most `most`.
    Qwen { most: u32 },
}

/// The formula for providers that publish none: Anthropic's, which charges more than most.
const UNKNOWN: ImagePrice = ImagePrice::Area { longest: 1568, most: 1600 };

/// The formulas by the beginning of the model's name, longer names first.
const PRICES: &[(&str, ImagePrice)] = &[
    ("gpt-4o-mini", ImagePrice::Tiles { base: 2833, tile: 5667 }),
    ("gpt-4.1-mini", ImagePrice::Patches { most: 1536, hundredths: 162 }),
    ("gpt-4.1-nano", ImagePrice::Patches { most: 1536, hundredths: 246 }),
    ("gpt-4", ImagePrice::Tiles { base: 85, tile: 170 }),
    ("chatgpt-4o", ImagePrice::Tiles { base: 85, tile: 170 }),
    ("o4-mini", ImagePrice::Patches { most: 1536, hundredths: 172 }),
    ("o1", ImagePrice::Tiles { base: 75, tile: 150 }),
    ("o3", ImagePrice::Tiles { base: 75, tile: 150 }),
    ("gpt-5-mini", ImagePrice::Patches { most: 1536, hundredths: 162 }),
    ("gpt-5-nano", ImagePrice::Patches { most: 1536, hundredths: 246 }),
    ("gpt-5.4-mini", ImagePrice::Patches { most: 1536, hundredths: 162 }),
    ("gpt-5.4-nano", ImagePrice::Patches { most: 1536, hundredths: 246 }),
    ("gpt-5.1", ImagePrice::Tiles { base: 70, tile: 140 }),
    ("gpt-5.2", ImagePrice::Patches { most: 1536, hundredths: 100 }),
    ("gpt-5.3", ImagePrice::Patches { most: 1536, hundredths: 100 }),
    ("gpt-5.", ImagePrice::Patches { most: 2500, hundredths: 100 }),
    ("gpt-5", ImagePrice::Tiles { base: 70, tile: 140 }),
    ("gpt-", ImagePrice::Patches { most: 2500, hundredths: 100 }),
    ("gemini-1", ImagePrice::GeminiTiles),
    ("gemini-2", ImagePrice::GeminiTiles),
    ("gemini", ImagePrice::Flat { tokens: 1120 }),
    ("gemma-3", ImagePrice::Flat { tokens: 256 }),
    ("qwen", ImagePrice::Qwen { most: 2560 }),
    ("claude-2", UNKNOWN),
    ("claude-3", UNKNOWN),
    ("claude-haiku-4", UNKNOWN),
    ("claude-sonnet-4", UNKNOWN),
    ("claude-opus-4-7", LARGER_CLAUDE),
    ("claude-opus-4-8", LARGER_CLAUDE),
    ("claude-opus-4", UNKNOWN),
    ("claude", LARGER_CLAUDE),
];

/// The formula from Claude Opus 4.7 on.
const LARGER_CLAUDE: ImagePrice = ImagePrice::Area { longest: 2576, most: 4784 };

impl ImagePrice {
    /// The formula of a model, by its plain name.
    pub(super) fn of(model: &str) -> Self {
        let listed = PRICES.iter().find(|(name, _)| model.starts_with(name));
        listed.map_or(UNKNOWN, |(_, price)| *price)
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Tiles { base, tile } => format!("tiles-{base}-{tile}"),
            Self::Patches { most, hundredths } => format!("patches-{most}-{hundredths}"),
            Self::Area { longest, most } => format!("area-{longest}-{most}"),
            Self::GeminiTiles => "gemini-tiles".to_owned(),
            Self::Flat { tokens } => format!("flat-{tokens}"),
            Self::Qwen { most } => format!("qwen-{most}"),
        }
    }

    /// Tokens of an image of `size` pixels; `None`: the largest possible number.
    pub(super) fn tokens(self, size: Option<(u32, u32)>) -> u32 {
        let Some((width, height)) = size else { return self.most() };
        let (width, height) = (f64::from(width.max(1)), f64::from(height.max(1)));
        match self {
            Self::Tiles { base, tile } => {
                let fit = (2048.0 / width.max(height)).min(1.0);
                let fit = fit * (768.0 / (width.min(height) * fit)).min(1.0);
                base + tile * (steps(width * fit, 512.0) * steps(height * fit, 512.0))
            }
            Self::Patches { most, hundredths } => {
                let patches = u64::from(steps(width, 32.0)) * u64::from(steps(height, 32.0));
                let patches = patches.min(u64::from(most)) as u32;
                (patches * hundredths).div_ceil(100)
            }
            Self::Area { longest, most } => {
                let fit = (f64::from(longest) / width.max(height)).min(1.0);
                // The cast saturates, and `most` limits it.
                ((width * fit * height * fit / 750.0).ceil() as u32).min(most)
            }
            Self::GeminiTiles if width <= 384.0 && height <= 384.0 => 258,
            Self::GeminiTiles => {
                let side = (width.min(height) / 1.5).floor().clamp(256.0, 768.0);
                let tiles = steps(width, side).saturating_mul(steps(height, side));
                tiles.saturating_mul(258).min(self.most())
            }
            Self::Flat { tokens } => tokens,
            Self::Qwen { most } => {
                let patches = u64::from(steps(width, 28.0)) * u64::from(steps(height, 28.0));
                patches.clamp(4, u64::from(most)) as u32 + 2
            }
        }
    }

    fn most(self) -> u32 {
        match self {
            // 2048 × 768: four tiles by two.
            Self::Tiles { base, tile } => base + tile * 8,
            Self::Patches { most, hundredths } => (most * hundredths).div_ceil(100),
            Self::Area { most, .. } => most,
            // 3072 × 3072, the largest that is not scaled down.
            Self::GeminiTiles => 16 * 258,
            Self::Flat { tokens } => tokens,
            Self::Qwen { most } => most + 2,
        }
    }
}

/// The number of steps of length `step` that cover `length`.
fn steps(length: f64, step: f64) -> u32 {
    (length / step).ceil() as u32
}
