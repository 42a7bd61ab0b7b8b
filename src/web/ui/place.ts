/** Where a popup goes: below what it belongs to, above it where there is more room, and never beyond the edge. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Placed {
  readonly left: number;
  readonly top?: number;
  readonly bottom?: number;
  readonly maxHeight: number;
  readonly maxWidth: number;
}

const gap = 4;
const edge = 8;

export function place(
  anchor: Box,
  size: { readonly width: number; readonly height: number },
  screen: { readonly width: number; readonly height: number },
  align: "start" | "end",
): Placed {
  const below = screen.height - anchor.bottom - gap - edge;
  const above = anchor.top - gap - edge;
  const wanted = align === "start" ? anchor.left : anchor.right - size.width;
  const left = Math.max(edge, Math.min(wanted, screen.width - size.width - edge));
  const maxWidth = screen.width - 2 * edge;
  if (size.height <= below || below >= above) return { left, top: anchor.bottom + gap, maxHeight: below, maxWidth };
  return { left, bottom: screen.height - anchor.top + gap, maxHeight: above, maxWidth };
}
