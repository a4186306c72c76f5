/** Colours of the theme as the engine reads them. */
import { formatColor, parseColor } from '../../../../shared/renderscript/color.ts';

/** A colour of styles/tokens.css by its role, e.g. `--accent`, as it is in the theme that is seen. */
export function themeColor(role: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${role})`;
  document.body.append(probe);
  const color = parseColor(getComputedStyle(probe).color);
  probe.remove();
  return color ? formatColor(color) : '#808080';
}
