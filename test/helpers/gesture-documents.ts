/**
 * Documents that gestures are tried on, on the editor's state and in the browser. Written as their authors like it:
 * what a gesture leaves alone has to stay so.
 */

/** What is worked on by hand in the picture. */
export const pictureDocument = `{
  "output_format": "mp4", "width": 800, "height": 600, "duration": 4,
  "elements": [
    {"type": "shape", "name": "Ground", "width": "100%", "height": "100%", "fill_color": "#12355b", "locked": true},
    {
      "name": "Card", "type": "shape",
      "x": 200, "y": "150px", "width": "20vmin", "height": "100 px",
      "fill_color": "#d9480f"
    },
    { "name": "Turned", "type": "shape", "x": "75%", "y": "25%", "width": "10%", "height": "10%", "z_rotation": 90, "fill_color": "#fff" },
    { "name": "Words", "type": "text", "text": "Words", "x": "25%", "y": "75%", "font_size": "8 vmin", "fill_color": "#ffffff" },
    {
      "name": "Group", "type": "composition", "x": "75%", "y": "75%", "width": "30%", "height": "40%", "fill_color": "#2f9e44",
      "elements": [
        { "name": "Inner", "type": "shape", "x": "50%", "y": "50%", "width": "40%", "height": "40%", "fill_color": "#ffd43b" }
      ]
    },
    {
      "name": "Keyed", "type": "shape", "y": "12%", "width": "8%", "height": "8%", "fill_color": "#e64980",
      "x": [
        { "time": 0, "value": "50%" },
        { "time": 2, "value": "60%" }
      ]
    }
  ]
}`;

/** What is worked on by hand in the timeline. */
export const timelineDocument = `{
  "output_format": "mp4", "width": 320, "height": 180, "duration": 8, "frame_rate": 25,
  "elements": [
    {"type": "shape", "name": "Ground", "track": 1, "width": "100%", "height": "100%", "fill_color": "#12355b", "locked": true},
    { "type": "shape", "name": "One", "track": 2, "duration": "2 s", "width": "40%", "height": "40%", "fill_color": "#d9480f" },
    { "type": "shape", "name": "Two", "track": 2,   "duration": 1, "width": "40%", "height": "40%", "fill_color": "#2f9e44" },
    { "type": "shape", "name": "Three", "track": 2, "duration": 1, "width": "40%", "height": "40%", "fill_color": "#9c36b5" },
    {
      "type": "shape", "name": "Timed", "track": 3, "time": "1 s", "duration": "25%",
      "width": "20%", "height": "20%", "fill_color": "#ffffff"
    },
    { "type": "shape", "name": "Later", "track": 3, "time": 5, "duration": 1, "width": "20%", "height": "20%", "fill_color": "#fff" },
    { "type": "shape", "name": "Free", "width": "10%", "height": "10%", "fill_color": "#ffd43b" },
    {
      "type": "composition", "name": "Group", "track": 5, "time": 4, "duration": 4, "width": "30%", "height": "40%",
      "elements": [
        { "type": "shape", "name": "Inner", "track": 1, "time": 1, "duration": 1, "width": "40%", "height": "40%", "fill_color": "#e64980" }
      ]
    },
    {
      "type": "shape", "name": "Moving", "track": 4, "duration": 4, "width": "10%", "height": "10%", "fill_color": "#ffd43b",
      "animations": [{ "type": "fade", "time": "start", "duration": "1 s" }],
      "x": [{ "time": 0, "value": "10%" }, { "time": "2 s", "value": "60%" , "easing": "back-out" }, { "time": "end", "value": "90%" }]
    }
  ]
}`;

/** What is in its elements decides on a part of their sizes. */
export const sizedDocument = `{
  "output_format": "mp4", "width": 800, "height": 600, "duration": 4, "frame_rate": 25,
  "elements": [
    {"type": "shape", "name": "Ground", "width": "100%", "height": "100%", "fill_color": "#12355b", "locked": true},
    { "name": "Card", "type": "shape", "x": 200, "y": 150, "width": 160, "height": 100, "fill_color": "#d9480f" },
    { "name": "Wide", "type": "text", "text": "Many words that break into lines", "x": "25%", "y": "70%", "width": "40%", "font_size": "6 vmin", "fill_color": "#fff" },
    { "name": "Growing", "type": "text", "text": "Grow", "x": "75%", "y": "15%", "fill_color": "#fff", "font_size": [{"time": 0, "value": "10 vmin"}, {"time": 2, "value": "14 vmin"}] },
    { "name": "Fitted", "type": "text", "text": "Fits", "x": "75%", "y": "35%", "width": "20%", "height": "15%", "fill_color": "#fff" },
    { "name": "Bar", "type": "shape", "x": 440, "y": "55%", "x_anchor": "0%", "height": "10%", "fill_color": "#ffd43b", "width": [{"time": 0, "value": 200}, {"time": 2, "value": 60}] },
    {
      "name": "List", "type": "composition", "x": "75%", "y": "82%", "width": "40%", "height": "30%",
      "elements": [
        { "name": "One", "type": "shape", "x": "50%", "y": null, "width": "80%", "height": "30%", "fill_color": "#e64980" },
        { "name": "Two", "type": "shape", "x": "50%", "y": null, "width": "80%", "height": "30%", "fill_color": "#2f9e44" }
      ]
    },
    { "name": "Path", "type": "shape", "x": "10%", "y": "35%", "path": "M 0 0 L 80 0 L 40 60 Z", "fill_color": "#e64980" }
  ]
}`;

/** Elements in a flow, and one beside it. */
export const flowDocument = `{
  "output_format": "mp4", "width": 800, "height": 600, "duration": 4, "frame_rate": 25,
  "elements": [
    {"type": "shape", "name": "Ground", "width": "100%", "height": "100%", "fill_color": "#12355b", "locked": true},
    { "name": "Card", "type": "shape", "track": 3, "time": 0, "duration": 4, "x": 200, "y": 150, "width": 160, "height": 100, "fill_color": "#d9480f" },
    {
      "name": "List", "type": "composition", "x": "75%", "y": "50%", "width": "40%", "height": "80%",
      "elements": [
        { "name": "One", "type": "shape", "x": "50%", "y": null,   "width": "80%", "height": "20%", "fill_color": "#e64980" },
        { "name": "Two", "type": "shape", "x": "50%", "y": null, "width": "80%", "height": "20%", "fill_color": "#2f9e44" },
        { "name": "Three", "type": "shape", "x": "50%", "y": null, "width": "80%", "height": "20%", "fill_color": "#ffd43b" }
      ]
    }
  ]
}`;
