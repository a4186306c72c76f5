/** sRGB's curve and brightness (IEC 61966-2-1, with the primaries of BT.709). Pure. */

/** Shares of red, green and blue in the brightness of a colour. */
export const brightnessShares = [0.2126, 0.7152, 0.0722] as const;
const [ofRed, ofGreen, ofBlue] = brightnessShares;

/** The light of a signal, both 0–1. */
export function lightOfSignal(signal: number): number {
  return signal <= 0.04045 ? signal / 12.92 : ((signal + 0.055) / 1.055) ** 2.4;
}

/** The signal of a light, both 0–1; more for more. */
export function signalOfLight(light: number): number {
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055;
}

/** The brightness of a colour; of its light, what WCAG calls relative luminance. */
export function brightnessOf(red: number, green: number, blue: number): number {
  return ofRed * red + ofGreen * green + ofBlue * blue;
}
