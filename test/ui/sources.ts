/** RenderScript documents of the window's tests: none of them needs a file or a network. */

/** A title that moves in over a coloured ground; `seconds` say how long there is to watch. */
export function titleFilm(text: string, seconds: number): object {
  return {
    output_format: 'mp4',
    width: 640,
    height: 360,
    frame_rate: 30,
    duration: seconds,
    fill_color: '#12355b',
    elements: [
      {
        type: 'text',
        name: 'Title',
        text,
        width: '90%',
        height: '60%',
        x_alignment: '50%',
        y_alignment: '50%',
        font_weight: '700',
        fill_color: '#ffffff',
        animations: [{ time: 'start', duration: 1, easing: 'quadratic-out', type: 'text-slide' }],
      },
    ],
  };
}

/** A picture: two shapes and a word. */
export function card(text: string, width = 600, height = 600, color = '#d9480f'): object {
  return {
    output_format: 'png',
    width,
    height,
    fill_color: color,
    elements: [
      {
        type: 'text',
        name: 'Word',
        text,
        width: '84%',
        height: '50%',
        x_alignment: '50%',
        y_alignment: '50%',
        font_weight: '700',
        fill_color: '#fff4e6',
      },
    ],
  };
}

/** A value of the wrong kind: accepted, and failed with a sentence that names the element. */
export const brokenCard = {
  output_format: 'png',
  width: 400,
  height: 300,
  elements: [{ type: 'text', name: 'Headline', text: 'Hello', fill_color: 'not a color' }],
};
