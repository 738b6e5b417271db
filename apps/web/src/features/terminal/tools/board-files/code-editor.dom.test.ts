import { redo, undo } from '@codemirror/commands';
import { EditorState } from '@codemirror/state';
import { EditorView, runScopeHandlers } from '@codemirror/view';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mountEditor, showInEditor, textWithEnds } from './code-editor.ts';

const typed = vi.fn();
const saved = vi.fn();

let opened = 0;

/** Opens a text as a file of its own. */
function open(text: string, path = `/file-${++opened}.txt`): EditorView {
  document.body.replaceChildren();
  mountEditor(document.body, 1, path, text, { onType: (_port, now) => typed(now), onSave: saved });
  const view = EditorView.findFromDOM(document.body);
  if (view === null) {
    throw new Error('There is no editor.');
  }
  return view;
}

const press = (view: EditorView, key: string, init: KeyboardEventInit = {}) =>
  runScopeHandlers(view, new KeyboardEvent('keydown', { key, ...init }), 'editor');

afterEach(() => {
  typed.mockReset();
  saved.mockReset();
});

describe('a text in the editor', () => {
  it('comes back byte for byte, whatever its ends of lines are', () => {
    const piece = fc.constantFrom('\r\n', '\r', '\n', '\t', ' ', 'x', 'ü', '\ufeff', '\0', '\u2028', '\u00a0', '😀');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        const { ends, textOf } = textWithEnds(text);
        expect(textOf(EditorState.create({ doc: text, extensions: ends }))).toBe(text);
      }),
    );
  });

  it.each([
    ['a\r\nb\r\n', 'new\r\na\r\nb\r\n'],
    ['a\nb', 'new\na\nb'],
    ['a\rb', 'new\ra\rb'],
    ['a\r\nb\nc', 'new\na\r\nb\nc'],
    ['', 'new\n'],
  ])('gives a typed line the ends of the others: %j', (text, expected) => {
    const view = open(text);
    view.dispatch({ changes: { from: 0, insert: view.state.toText('new\n') } });
    expect(typed).toHaveBeenLastCalledWith(expected);
    undo(view);
    expect(typed).toHaveBeenLastCalledWith(text);
  });

  it('keeps its history while another tool is shown, and loses it with another file', () => {
    const view = open('x = 1\n', '/a.py');
    view.dispatch({ changes: { from: 4, to: 5, insert: '2' } });
    expect(open('x = 2\n', '/a.py')).toBe(view);
    undo(view);
    expect(typed).toHaveBeenLastCalledWith('x = 1\n');
    redo(view);
    const other = open('x = 2\n', '/b.py');
    undo(other);
    expect(other.state.doc.toString()).toBe('x = 2\n');
  });

  it('is replaced by a newer version of the file, which undo takes back', () => {
    const view = open('x = 1\r\n');
    showInEditor(1, 'y = 2\r\n');
    expect(typed).toHaveBeenLastCalledWith('y = 2\r\n');
    undo(view);
    expect(typed).toHaveBeenLastCalledWith('x = 1\r\n');
  });

  it('is taken whole when it has 256 KiB', () => {
    const text = 'value = 1  # a comment that is long enough\n'.repeat(6_096);
    const view = open(text, '/large.py');
    view.dispatch({ changes: { from: view.state.doc.length, insert: 'end' } });
    expect(typed).toHaveBeenLastCalledWith(`${text}end`);
  });
});

describe('keys of the editor', () => {
  it('indent by four spaces, or by a tab in a text that is indented by tabs', () => {
    const spaces = open('if x:\n    y = 1\n');
    press(spaces, 'Tab');
    expect(typed).toHaveBeenLastCalledWith('    if x:\n    y = 1\n');
    const tabs = open('if x:\n\ty = 1\n');
    press(tabs, 'Tab');
    expect(typed).toHaveBeenLastCalledWith('\tif x:\n\ty = 1\n');
  });

  it('indent all lines of a selection, and take that back with Shift+Tab', () => {
    const view = open('a\nb\nc\n');
    view.dispatch({ selection: { anchor: 0, head: 3 } });
    press(view, 'Tab');
    expect(typed).toHaveBeenLastCalledWith('    a\n    b\nc\n');
    press(view, 'Tab', { shiftKey: true });
    expect(typed).toHaveBeenLastCalledWith('a\nb\nc\n');
  });

  it('take Escape, which would close a drawer around the editor', () => {
    expect(press(open('a\n'), 'Escape')).toBe(true);
  });

  it('save with Ctrl+S', () => {
    const view = open('a\n');
    expect(press(view, 's', { ctrlKey: true })).toBe(true);
    expect(saved).toHaveBeenCalledExactlyOnceWith(1);
  });
});
