/**
 * Text of a canvas, set word by word. Where letters are placed exactly, browsers kern them with the spaces beside them;
 * the server's library does not, and its lines are longer. In the drawing worker.
 */

type Draw = (text: string, x: number, y: number) => void;

/** Makes a context measure and draw words and spaces apart. */
export function setByWords(context: OffscreenCanvasRenderingContext2D): void {
  const measure = context.measureText.bind(context);
  const widthOf = (text: string): number => measure(text).width;
  context.measureText = (text) => {
    if (!hasSpaces(text)) return measure(text);
    const { fontBoundingBoxAscent, fontBoundingBoxDescent } = measure(' ');
    const width = partsOf(text).reduce((sum, part) => sum + widthOf(part), 0);
    // As much of it as `Context` of the engine knows.
    return { width, fontBoundingBoxAscent, fontBoundingBoxDescent } as TextMetrics;
  };
  const spelt = (draw: Draw): Draw => {
    return (text, x, y) => {
      if (!hasSpaces(text)) {
        draw(text, x, y);
        return;
      }
      const parts = partsOf(text);
      let left = x;
      for (const part of context.direction === 'rtl' ? parts.toReversed() : parts) {
        if (part.trim() !== '') draw(part, left, y);
        left += widthOf(part);
      }
    };
  };
  context.fillText = spelt(context.fillText.bind(context));
  context.strokeText = spelt(context.strokeText.bind(context));
}

const hasSpaces = (text: string): boolean => text.includes(' ') && text !== ' ';

/** Words and the spaces between them, each space by itself. */
const partsOf = (text: string): string[] => text.split(/( )/).filter((part) => part !== '');
