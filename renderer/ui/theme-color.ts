/** Colours of the theme as the engine reads them. */
import { createSubscriber } from 'svelte/reactivity';
import { formatColor, parseColor } from '../../shared/renderscript/color.ts';

const followTheme = createSubscriber((update) => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', update);
  return () => dark.removeEventListener('change', update);
});

/**
 * A colour of styles/tokens.css by its role, e.g. `--accent`, as it is in the theme that is seen. Effects that read it
 * run again when the system's theme changes.
 */
export function themeColor(role: string): string {
  followTheme();
  const probe = document.createElement('i');
  probe.style.color = `var(${role})`;
  document.body.append(probe);
  const color = parseColor(getComputedStyle(probe).color);
  probe.remove();
  return color ? formatColor(color) : '#808080';
}
