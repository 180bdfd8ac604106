//! The description of a figure with two axes: its axes, data and marks.

/// A figure with two axes.
#[derive(Debug, Clone, PartialEq)]
pub struct Plot {
    /// Title above the frame; may be empty.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Data, in the order in which they are drawn.
    pub series: Vec<Series>,
    /// Reference lines, areas and slope triangles.
    pub marks: Vec<Mark>,
    /// Width and height of the page, pixels; both are kept between [`SMALLEST`] and [`LARGEST`].
    pub size: [u32; 2],
    /// Size of letters, lines and markers, as a multiple of the usual one.
    pub scale: f64,
}

/// Width and height of a figure that asks for no size.
pub const SIZE: [u32; 2] = [800, 600];
/// Smallest width and height of a figure.
pub const SMALLEST: u32 = 240;
/// Largest width and height of a figure.
pub const LARGEST: u32 = 8000;

/// Returns the size of the page that is drawn for a size that is asked for, pixels.
pub(crate) fn page_size(asked: [u32; 2]) -> [u32; 2] {
    asked.map(|side| side.clamp(SMALLEST, LARGEST))
}

/// Returns the size of a page in units of which letters have their usual number; no side is less than [`SMALLEST`].
pub(crate) fn layout_size(asked: [u32; 2], scale: f64) -> [f64; 2] {
    page_size(asked).map(|side| (f64::from(side) / scale).max(f64::from(SMALLEST)))
}

impl Default for Plot {
    fn default() -> Self {
        let axis = || Axis::new("", Scale::Linear);
        Self {
            title: String::new(),
            x: axis(),
            y: axis(),
            series: Vec::new(),
            marks: Vec::new(),
            size: SIZE,
            scale: 1.0,
        }
    }
}

impl Plot {
    pub(crate) fn page(&self) -> [f64; 2] {
        layout_size(self.size, self.scale)
    }

    /// Describes the figure in a sentence, for readers who do not see it.
    pub(crate) fn description(&self) -> String {
        let labels: Vec<&str> = self.series.iter().map(|s| &*s.label).collect();
        let (x, y) = (&self.x.label, &self.y.label);
        format!("{y} over {x}: {}.", labels.join("; "))
    }
}

/// One axis of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Quantity and unit: `Time [s]`.
    pub label: String,
    /// Linear or logarithmic scale.
    pub scale: Scale,
    /// Range to show; that of the data if `None`, or if the axis cannot show the range.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// Makes an axis that takes its range from the data.
    pub fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self {
            label: label.into(),
            scale,
            range: None,
        }
    }
}

/// Scale of an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// Linear scale.
    Linear,
    /// Decimal logarithm; shows positive values only.
    Log10,
}

/// A set of data with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Name in the legend.
    pub label: String,
    /// Points in the units of the axes. A point that is not finite breaks the line.
    pub points: Vec<[f64; 2]>,
    /// Style in which the points are drawn.
    pub style: Style,
    /// Group of the series, where several belong together.
    pub group: Option<SeriesGroup>,
}

/// Place of a series in a group of series, which have one colour and differ by dashes and markers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeriesGroup {
    /// Number of the group, which gives the colour.
    pub number: usize,
    /// Place within the group; the line of the first is full.
    pub place: usize,
}

impl Series {
    /// Makes a series of named points.
    pub fn new(label: impl Into<String>, points: Vec<[f64; 2]>, style: Style) -> Self {
        let label = label.into();
        Self {
            label,
            points,
            style,
            group: None,
        }
    }

    /// Puts the series into a group.
    #[must_use]
    pub fn in_group(mut self, group: SeriesGroup) -> Self {
        self.group = Some(group);
        self
    }
}

/// Style of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A line through the points.
    Line,
    /// A marker at each point.
    Markers,
    /// A line with a marker at each point.
    LineMarkers,
}

/// An element of a figure that is no data.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Mark {
    /// A horizontal reference line. The vertical range grows to show it unless that would flatten the data; then the
    /// legend says that the line is off the scale.
    Horizontal {
        /// Height in the unit of the vertical axis.
        y: f64,
        /// Name in the legend.
        label: String,
    },
    /// A vertical reference line, drawn where the range shows it.
    Vertical {
        /// Place in the unit of the horizontal axis.
        x: f64,
        /// Name in the legend.
        label: String,
    },
    /// A filled polygon behind everything else. Corners outside the frame are moved to its border.
    Area {
        /// Corners in the units of the axes; those that the axes cannot show are left out.
        corners: Vec<[f64; 2]>,
        /// Name in the legend.
        label: String,
    },
    /// A triangle of a given slope on two logarithmic axes. It is placed off the data, and left out if no place is free.
    Slope {
        /// Slope: the order of convergence.
        order: f64,
        /// Index of the series that the triangle is placed near; any series if `None`.
        near: Option<usize>,
    },
}
