/** The field of opened frames that a tool points at, by port and curve: its bytes and its row are lit. */

let lit: string | null = null;

/** Event of an opened frame: another field is lit. */
export const litChange = 'litchange';

const keyOf = (port: number, series: string) => `${port} ${series}`;

export const isLit = (port: number | null, series: string | null): boolean =>
  port !== null && series !== null && lit === keyOf(port, series);

/** Lights a field in all opened frames. Null: none. */
export function lightField(field: { readonly port: number; readonly series: string } | null): void {
  const next = field === null ? null : keyOf(field.port, field.series);
  if (next !== lit) {
    lit = next;
    for (const frame of document.querySelectorAll('[data-frame-detail]')) {
      frame.dispatchEvent(new Event(litChange));
    }
  }
}
