use proptest::prelude::*;

use super::*;

fn series(label: &str, style: Style, points: Vec<[f64; 2]>) -> Series {
    Series::new(label, points, style)
}

fn plot(scale: Scale, series: Vec<Series>) -> Plot {
    Plot {
        title: "Title".to_owned(),
        x: Axis::new("Time [s]", scale),
        y: Axis::new("Hamiltonian [J]", scale),
        series,
        ..Plot::default()
    }
}

#[test]
fn a_tiny_range_gets_an_offset() {
    let points = (0..=100)
        .map(|i| [0.1 * f64::from(i), 1269.97501 + 7.4e-6 * f64::from(i)])
        .collect();
    let figure = plot(Scale::Linear, vec![series("a", Style::Line, points)]);
    let text = svg(&figure).expect("a figure");
    assert!(text.contains("×10⁻⁴ + 1269.975"), "no offset");
    assert!(text.contains("width=\"800\" height=\"600\""));
    assert!(text.contains("font-family=\"DejaVu Sans, Verdana, sans-serif\""));
    assert_eq!(text, svg(&figure).expect("again"));
    let bytes = png(&text, 2.0).expect("an image");
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(bytes[16..24], [0, 0, 6, 64, 0, 0, 4, 176]);
    assert_eq!(bytes, png(&text, 2.0).expect("again"));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let nothing = series(
        "a",
        Style::Line,
        vec![[0.0, f64::NAN], [1.0, f64::INFINITY]],
    );
    let text = svg(&plot(Scale::Linear, vec![nothing.clone()])).expect("a figure");
    assert!(text.contains("a (no finite values)"));
    let some = series("b", Style::Line, vec![[1.0, 0.0], [2.0, -1.0], [3.0, 1.0]]);
    let text = svg(&plot(Scale::Log10, vec![nothing, some])).expect("a figure");
    assert!(text.contains("1 point below 0 is not drawn") && !text.contains("b ("));
    let gap = series(
        "c",
        Style::Line,
        vec![[1.0, 1.0], [2.0, f64::NAN], [3.0, 1.0]],
    );
    let text = svg(&plot(Scale::Linear, vec![gap])).expect("a figure");
    assert!(text.contains("c (1 point not finite)"));
}

#[test]
fn slopes_need_logarithmic_axes() {
    let mut figure = plot(Scale::Linear, Vec::new());
    figure.marks = vec![Mark::Slope {
        order: 2.0,
        near: None,
    }];
    assert_eq!(svg(&figure), Err(PlotError::SlopeNeedsLogLog));
    figure.x.scale = Scale::Log10;
    figure.y.scale = Scale::Log10;
    assert!(svg(&figure).is_ok());
}

#[test]
fn areas_and_vertical_lines_are_drawn_and_named() {
    let line = series("a", Style::Line, vec![[1.0, 1.0], [3.0, 2.0]]);
    let mut figure = plot(Scale::Linear, vec![line]);
    let bare = svg(&figure).expect("a figure");
    let wide = f64::MAX;
    figure.marks = vec![
        Mark::Area {
            corners: vec![[1.5, -wide], [1.5, wide], [2.0, wide], [2.0, -wide]],
            label: "stable".into(),
        },
        Mark::Vertical {
            x: 2.5,
            label: "bound".into(),
        },
        Mark::Vertical {
            x: 7.0,
            label: "far".into(),
        },
    ];
    let text = svg(&figure).expect("a figure");
    assert!(text.contains("stable") && text.contains("bound"));
    assert!(text.contains("far (off the scale)"));
    let polygons = |s: &str| s.matches("<polygon").count();
    assert_eq!(polygons(&text), polygons(&bare) + 1);
    // Behind the grid and the data.
    assert!(text.find("<polygon") < text.find("<polyline"));
}

#[test]
fn thirty_series_differ_and_those_of_one_colour_by_dash_and_marker() {
    for style in [Style::Line, Style::LineMarkers] {
        for (i, j) in (0..30).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let [a, b] = [i, j].map(|k| curve::look(k, style));
            if a.colour == b.colour {
                assert!(a.dash != b.dash && a.shape != b.shape, "{i} {j}");
            }
        }
    }
}

#[test]
fn labels_beyond_the_colours_stand_where_lines_end() {
    let rising = |k: u32| {
        let points = (1..5).map(|i| [f64::from(i), f64::from(k * i)]);
        series(&format!("number {k}"), Style::LineMarkers, points.collect())
    };
    let height = |text: &str, label: &str| -> f64 {
        let before = &text[..text.find(label).expect("a label")];
        let y = before.rsplit(" y=\"").next().expect("its place");
        y.split('"')
            .next()
            .and_then(|y| y.parse().ok())
            .expect("a number")
    };
    let few = svg(&plot(Scale::Linear, (1..8).map(rising).collect())).expect("a figure");
    let many = svg(&plot(Scale::Linear, (1..9).map(rising).collect())).expect("a figure");
    // Below the frame, in rows; beside it, the highest line first.
    assert!(height(&few, ">\nnumber 1") <= height(&few, ">\nnumber 7"));
    for k in 1..8 {
        let (lower, upper) = (format!(">\nnumber {k}"), format!(">\nnumber {}", k + 1));
        assert!(height(&many, &lower) > height(&many, &upper) + 100.0);
    }
}

#[test]
fn figures_of_one_quantity_share_their_range() {
    let figure = |hi| {
        let points = vec![[0.0, 1.0], [1.0, hi]];
        plot(Scale::Linear, vec![series("a", Style::Line, points)])
    };
    // One that shows nothing does not count.
    let nothing = plot(Scale::Linear, Vec::new());
    let mut both = [figure(2.0), figure(5.0), nothing];
    share_range(&mut both);
    assert_eq!(both[0].y.range, both[1].y.range);
    let (lo, hi) = both[0].y.range.expect("a range");
    assert!(lo > 0.5 && lo < 1.0 && hi > 5.0);
}

#[test]
fn readers_who_do_not_see_it_are_told_what_it_shows() {
    let mut figure = plot(Scale::Linear, vec![series("<h>", Style::Line, Vec::new())]);
    figure.title = "A & B".into();
    figure.size = [640, 320];
    let text = svg(&figure).expect("a figure");
    assert!(text.contains("<title>A &amp; B</title>"));
    assert!(text.contains("<desc>Hamiltonian [J] over Time [s]: &lt;h&gt;.</desc>"));
    assert!(text.contains("width=\"640\" height=\"320\" role=\"img\""));
}

/// Makes any double, and often a difficult one.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0_f64,
        2 => prop::num::f64::ANY,
        1 => prop::sample::select(vec![
            0.0, -0.0, 1.0, 1e-320, 5e-324, f64::MIN_POSITIVE, f64::MAX, f64::MIN, f64::NAN,
            f64::INFINITY, f64::NEG_INFINITY, 1269.975, 1e15, 1e15 + 1.0,
        ]),
    ]
}

fn scale() -> impl Strategy<Value = Scale> {
    prop::sample::select(vec![Scale::Linear, Scale::Log10])
}

fn any_series() -> impl Strategy<Value = Series> {
    let style = prop::sample::select(vec![Style::Line, Style::Markers, Style::LineMarkers]);
    let point = (number(), number()).prop_map(|(x, y)| [x, y]);
    (".{0,60}", style, prop::collection::vec(point, 0..30))
        .prop_map(|(label, style, points)| Series::new(label, points, style))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_data_give_a_figure(
        all in prop::collection::vec(any_series(), 0..9),
        scales in (scale(), scale()),
        ranges in (prop::option::of((number(), number())), prop::option::of((number(), number()))),
        reference in prop::option::of(number()),
        upright in prop::option::of(number()),
        size in prop::sample::select(vec![[800, 600], [0, 0], [300, 900]]),
        area in prop::collection::vec((number(), number()).prop_map(|(x, y)| [x, y]), 0..6),
    ) {
        let mut figure = plot(Scale::Linear, all);
        (figure.x.scale, figure.y.scale) = scales;
        figure.size = size;
        (figure.x.range, figure.y.range) = ranges;
        if let Some(y) = reference {
            figure.marks.push(Mark::Horizontal { y, label: "bound".to_owned() });
        }
        if let Some(x) = upright {
            figure.marks.push(Mark::Vertical { x, label: "edge".to_owned() });
        }
        figure.marks.push(Mark::Area { corners: area, label: "region".to_owned() });
        if scales == (Scale::Log10, Scale::Log10) {
            figure.marks.push(Mark::Slope { order: 2.0, near: None });
        }
        let text = svg(&figure).expect("a figure");
        prop_assert!(!text.contains("NaN") && !text.contains("inf\""));
        prop_assert_eq!(&text, &svg(&figure).expect("again"));
        prop_assert!(png(&text, 0.1).is_ok());
    }

    #[test]
    fn one_constant_or_near_constant_series(c in number(), ulps in 0_u64..200, s in scale()) {
        let near = f64::from_bits(c.to_bits().wrapping_add(ulps));
        let figure = plot(s, vec![series("a", Style::LineMarkers, vec![[c, c], [near, near]])]);
        prop_assert!(png(&svg(&figure).expect("a figure"), 0.1).is_ok());
    }
}

#[test]
fn series_of_one_group_have_one_colour_and_covered_lines_are_seen() {
    let rising = |k: f64| {
        (1..5)
            .map(move |i| [f64::from(i), k * f64::from(i)])
            .collect()
    };
    let member = |number, place| {
        let group = SeriesGroup { number, place };
        series("a", Style::Line, rising(1.0 + place as f64)).in_group(group)
    };
    let looks = curve::looks(&[member(1, 0), member(1, 1), member(2, 0)]);
    assert_eq!(looks[0].colour, looks[1].colour);
    assert!(looks[0].dash.is_empty() && !looks[1].dash.is_empty());
    assert_ne!(looks[0].colour, looks[2].colour);
    // Groups that do not tell all series apart do not count.
    let same = curve::looks(&[member(1, 0), member(1, 0)]);
    assert_ne!(same[0].colour, same[1].colour);
    let dashes = |second: f64| {
        let both = [1.0, second].map(|k| series("a", Style::LineMarkers, rising(k)));
        svg(&plot(Scale::Linear, both.to_vec()))
            .expect("a figure")
            .matches("<polyline")
            .count()
    };
    assert!(
        dashes(1.0) > dashes(1.5) + 5,
        "{} {}",
        dashes(1.0),
        dashes(1.5)
    );
}

#[test]
fn a_scale_makes_letters_larger_and_keeps_the_size() {
    let of = |scale| {
        let points = vec![[0.0, 0.0], [1.0, 1.0]];
        let plot = plot(Scale::Linear, vec![series("a", Style::Line, points)]);
        svg(&Plot { scale, ..plot }).expect("a figure")
    };
    let head = |text: &str| text[..text.find('>').expect("a root")].to_string();
    let (usual, large) = (head(&of(1.0)), head(&of(2.0)));
    for root in [&usual, &large] {
        assert!(root.contains("width=\"800\" height=\"600\""), "{root}");
    }
    assert!(usual.contains("viewBox=\"0 0 6400 4800\""), "{usual}");
    assert!(large.contains("viewBox=\"0 0 3200 2400\""), "{large}");
}
