/**
 * Style of the element and its dialog. Colours are the system's, so they follow the page's `color-scheme` and forced
 * colours. Pages change custom properties and parts.
 */
export const style = `
:host {
  --_accent: var(--wirebench-accent, #f2a93b);
  --_on-accent: var(--wirebench-on-accent, #1d1304);
  --_surface: var(--wirebench-surface, Canvas);
  --_text: var(--wirebench-text, CanvasText);
  --_radius: var(--wirebench-radius, 6px);
  --_line: var(--wirebench-line, #8a8a8a);
  display: inline-block;
}
:host([hidden]), [hidden] { display: none !important; }
button, input, select { font: inherit; color: inherit; }
button {
  min-height: 2.5em;
  padding: 0.4em 1em;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: transparent;
  cursor: pointer;
}
button:hover { border-color: var(--_text); }
button[part~='button'], button.primary {
  border-color: transparent;
  background: var(--_accent);
  color: var(--_on-accent);
  font-weight: 600;
}
button[part~='button']:hover, button.primary:hover { border-color: var(--_on-accent); }
:focus-visible { outline: 2px solid var(--_text); outline-offset: 2px; }
button[part~='button']:focus-visible { outline-color: currentColor; outline: 2px solid CanvasText; }
dialog {
  box-sizing: border-box;
  width: min(34rem, calc(100vw - 2rem));
  max-width: none;
  max-height: calc(100vh - 2rem);
  max-height: calc(100dvh - 2rem);
  padding: 0;
  border: 1px solid var(--_line);
  border-radius: calc(var(--_radius) * 2);
  background: var(--_surface);
  color: var(--_text);
  font-family: var(--wirebench-font, system-ui, sans-serif);
  font-size: 1rem;
  font-weight: 400;
  line-height: 1.5;
  letter-spacing: normal;
  text-align: start;
  text-transform: none;
  white-space: normal;
  overflow: hidden;
}
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 55%); }
.head { display: flex; align-items: start; gap: 0.75rem; padding: 1rem 1rem 0 1.25rem; }
h2 { flex: 1; margin: 0; padding-top: 0.3rem; font-size: 1.2rem; line-height: 1.35; overflow-wrap: anywhere; }
h2:focus { outline: none; }
.head .badge { margin-top: 0.55rem; }
.close { flex: none; min-width: 2.5em; padding: 0; border-color: transparent; font-size: 1.1rem; }
.body { padding: 0.25rem 1.25rem 1rem; overflow-y: auto; overflow-wrap: anywhere; }
.body > * { margin: 0.75rem 0 0; }
.actions { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0.75rem 1.25rem 1.25rem; }
.actions:empty { display: none; }
ul { padding-inline-start: 1.2em; }
li { margin: 0.15rem 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { font-weight: 600; }
dd { margin: 0; min-width: 0; }
code, .log { font-family: var(--wirebench-mono, ui-monospace, monospace); font-size: 0.9em; }
fieldset { min-width: 0; padding: 0.5rem 0.9rem 0.7rem; border: 1px solid var(--_line); border-radius: var(--_radius); }
legend { padding: 0 0.35em; font-weight: 600; }
fieldset label { display: flex; align-items: baseline; gap: 0.5em; padding: 0.15rem 0; }
.field { display: block; }
.field + .field { margin-top: 0.6rem; }
.field > input, .field > select {
  box-sizing: border-box;
  display: block;
  width: 100%;
  min-height: 2.5em;
  margin-top: 0.2rem;
  padding: 0.3em 0.6em;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_surface);
}
select option { background: Canvas; color: CanvasText; }
.badge { padding: 0 0.5em; border: 1px solid currentColor; border-radius: 1em; font-size: 0.8em; font-weight: 600; white-space: nowrap; }
.alert { padding-inline-start: 0.8rem; border-inline-start: 4px solid var(--_accent); }
.alert.fault { border-inline-start-color: #d1343b; }
progress { width: 100%; height: 0.9rem; accent-color: var(--_accent); }
.figures { display: flex; flex-wrap: wrap; gap: 0 1.25rem; font-variant-numeric: tabular-nums; }
.log {
  height: min(15rem, 32vh);
  padding: 0.5rem 0.7rem;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  overflow: auto;
  white-space: pre-wrap;
}
.row { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.row > input { flex: 1; min-width: 8rem; padding: 0.3em 0.6em; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 30rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: 0.4rem; }
}
@media (forced-colors: active) {
  button[part~='button'], button.primary { border-color: ButtonText; background: ButtonFace; color: ButtonText; }
  progress { border: 1px solid CanvasText; }
}
`;
