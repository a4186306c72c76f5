/** Where the window opens, remembered for each display. Main process. */
import { screen, type BrowserWindow, type BrowserWindowConstructorOptions } from 'electron';
import type { SettingsFile, WindowPlace } from './settings.ts';

/** Smallest and default size of the window, in pixels. */
export const smallest = { width: 960, height: 600 };
const usual = { width: 1280, height: 800 };
/** How many displays to remember. */
const mostPlaces = 12;

type Area = Readonly<Record<'x' | 'y' | 'width' | 'height', number>>;

/** Size and position to open with; without a position the system centres it. */
export function placeToOpen({ current }: SettingsFile): {
  bounds: Pick<BrowserWindowConstructorOptions, 'x' | 'y' | 'width' | 'height'>;
  maximized: boolean;
} {
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  const { places, lastDisplay } = current;
  const primary = String(screen.getPrimaryDisplay().id);
  const candidates = [lastDisplay === null ? undefined : places[lastDisplay], places[primary]];
  const place = candidates.find((one) => one !== undefined && isWithin(one, areas));
  if (!place)
    return {
      bounds: usualOn(screen.getPrimaryDisplay().workArea),
      maximized: candidates[0]?.maximized ?? false,
    };
  const { x, y, width, height, maximized } = place;
  return { bounds: { x, y, width, height }, maximized };
}

/** The default size, limited to the display. */
function usualOn({ width, height }: Area): Pick<Area, 'width' | 'height'> {
  return { width: Math.min(usual.width, width), height: Math.min(usual.height, height) };
}

/** Remembers where a window is, for the display that it is on. */
export function rememberPlace(window: BrowserWindow, settings: SettingsFile): void {
  const bounds = window.getNormalBounds();
  const display = String(screen.getDisplayMatching(bounds).id);
  const place: WindowPlace = { ...bounds, maximized: window.isMaximized() };
  const others = Object.entries(settings.current.places).filter(
    // `before`: from before places were kept for each display.
    ([name]) => name !== display && name !== 'before',
  );
  settings.save({
    places: Object.fromEntries([...others.slice(1 - mostPlaces), [display, place]]),
    lastDisplay: display,
  });
}

/** True if enough of the window is on an existing screen to grab its title and see its content. */
function isWithin(place: Area, areas: readonly Area[]): boolean {
  const grip = 80;
  return areas.some((area) => {
    const left = Math.max(place.x, area.x);
    const right = Math.min(place.x + place.width, area.x + area.width);
    const titleIsReachable = place.y >= area.y - 8 && place.y < area.y + area.height - grip;
    return right - left >= grip && titleIsReachable;
  });
}
