/**
 * CodeMirror 6 as the editor of a board's files, in a chunk of its own. It gives back every text that it took, byte for byte:
 * ends of lines, tabs and the end of the file stay as they are until a person changes them.
 */
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { type Command, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { PortNumber } from '@wirebench/serial';

/** Id of the element that says how to leave the text by keyboard. */
export const editorHintId = 'board-editor-hint';

/** Actions of the page that the editor of a port calls. */
interface EditorActions {
  readonly onType: (port: PortNumber, text: string) => void;
  /** Called for Ctrl+S. */
  readonly onSave: (port: PortNumber) => void;
}

/** The newest editor of a port. It keeps its history while it is not shown. */
interface Kept {
  readonly path: string;
  readonly view: EditorView;
  /** Text as the page knows it. */
  text: string;
}

const kept = new Map<PortNumber, Kept>();

/** Languages by the end of a file's name. Each is loaded with the first file that needs it. */
const languages: readonly (readonly [RegExp, () => Promise<Extension>])[] = [
  [/\.pyi?$/i, async () => (await import('@codemirror/lang-python')).python()],
  [/\.json$/i, async () => (await import('@codemirror/lang-json')).json()],
  [/\.css$/i, async () => (await import('@codemirror/lang-css')).css()],
  [/\.html?$/i, async () => (await import('@codemirror/lang-html')).html()],
  [/\.[cm]?js$/i, async () => (await import('@codemirror/lang-javascript')).javascript()],
  [/\.(?:md|markdown)$/i, async () => (await import('@codemirror/lang-markdown')).markdown()],
];

/**
 * Shows the editor of a port in `parent`. A text that was shown last on this port has its history still.
 *
 * @returns A function that removes the editor from the page.
 */
export function mountEditor(
  parent: HTMLElement,
  port: PortNumber,
  path: string,
  text: string,
  actions: EditorActions,
): () => void {
  const before = kept.get(port);
  if (before?.path === path && before.text === text) {
    parent.append(before.view.dom);
    before.view.requestMeasure();
  } else {
    before?.view.destroy();
    kept.set(port, open(parent, port, path, text, actions));
  }
  return () => kept.get(port)?.view.dom.remove();
}

export function focusEditor(port: PortNumber): void {
  kept.get(port)?.view.focus();
}

/** Takes a text that was not typed here, such as a newer version of the file. Ctrl+Z takes it back. */
export function showInEditor(port: PortNumber, text: string): void {
  const editor = kept.get(port);
  if (editor !== undefined && editor.text !== text) {
    const { view } = editor;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(text) } });
  }
}

function open(
  parent: HTMLElement,
  port: PortNumber,
  path: string,
  text: string,
  { onType, onSave }: EditorActions,
): Kept {
  const language = new Compartment();
  const doc = textWithEnds(text);
  const extensions = [
    language.of([]),
    doc.ends,
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    bracketMatching(),
    highlightSelectionMatches(),
    search({ top: true }),
    words,
    indentUnit.of(/^\t/m.test(text) ? '\t' : '    '),
    syntaxHighlighting(highlighting),
    look,
    leaving,
    keymap.of([
      {
        key: 'Mod-s',
        run: () => {
          onSave(port);
          return true;
        },
      },
      { key: 'Tab', run: indent, shift: indentLess },
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      // A drawer that holds the editor would close.
      { key: 'Escape', run: () => true },
    ]),
    EditorView.contentAttributes.of({
      'aria-label': `Text of ${path}`,
      'aria-describedby': editorHintId,
      tabindex: '0',
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) {
        editor.text = doc.textOf(state);
        onType(port, editor.text);
      }
    }),
  ];
  const state = EditorState.create({ doc: text, extensions });
  const editor: Kept = { path, view: underPolicy(() => new EditorView({ parent, state })), text };
  const [, load] = languages.find(([ending]) => ending.test(path)) ?? [];
  load?.().then(
    (support) => editor.view.dispatch({ effects: language.reconfigure(support) }),
    (error: unknown) => console.warn('The colours of this language could not be loaded.', error),
  );
  return editor;
}

interface TextWithEnds {
  readonly ends: Extension;
  /** Returns the text with its own ends of lines. */
  readonly textOf: (state: EditorState) => string;
}

/**
 * Keeps the ends of lines of a text. A text with one kind of them is split at any, and gets its own kind back, also behind
 * lines that are typed or pasted. In a text with several kinds each carriage return is a character, which is shown.
 */
export function textWithEnds(text: string): TextWithEnds {
  const kinds = new Set(text.match(/\r\n|\r|\n/g));
  const [end = '\n'] = kinds;
  return kinds.size > 1
    ? { ends: EditorState.lineSeparator.of('\n'), textOf: ({ doc }) => doc.toString() }
    : { ends: [], textOf: ({ doc }) => doc.sliceString(0, doc.length, end) };
}

/** Inserts one step at the caret, or indents each line of a selection. */
const indent: Command = (view) => {
  const { state } = view;
  const { from, to } = state.selection.main;
  if (state.doc.lineAt(from).number !== state.doc.lineAt(to).number) {
    return indentMore(view);
  }
  view.dispatch(state.replaceSelection(state.facet(indentUnit)), { scrollIntoView: true, userEvent: 'input' });
  return true;
};

const isModifier = (key: string) => ['Shift', 'Control', 'Alt', 'Meta'].includes(key);

/** After Escape, Tab and Shift+Tab leave the text, without a limit of time, until another key is pressed. */
const leaving = EditorView.domEventHandlers({
  keydown: ({ key }, view) => {
    if (!isModifier(key)) {
      view.setTabFocusMode(key === 'Escape');
    }
    return false;
  },
  blur: (_, view) => {
    view.setTabFocusMode(false);
    return false;
  },
});

const words = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  close: 'Close the search',
});

const highlighting = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.tagName], color: 'var(--color-ansi-magenta)' },
  { tag: [tags.string, tags.special(tags.string), tags.attributeValue], color: 'var(--color-ansi-green)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.unit, tags.color], color: 'var(--color-ansi-yellow)' },
  { tag: tags.comment, color: 'var(--color-text-subtle)', fontStyle: 'italic' },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.className,
      tags.definition(tags.propertyName),
    ],
    color: 'var(--color-ansi-blue)',
  },
  {
    tag: [tags.propertyName, tags.attributeName, tags.meta, tags.self, tags.regexp, tags.escape],
    color: 'var(--color-ansi-cyan)',
  },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], color: 'var(--color-ansi-blue)' },
  { tag: tags.invalid, color: 'var(--color-danger)' },
]);

const selected = 'var(--color-selected)';

const look = EditorView.theme({
  '&': {
    height: '100%',
    border: '1px solid var(--color-border-control)',
    borderRadius: 'var(--radius-1)',
    backgroundColor: 'var(--color-well)',
    color: 'var(--color-text)',
    fontSize: 'var(--text-xs)',
  },
  '&.cm-focused': { outline: '2px solid var(--color-focus)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '18px' },
  '.cm-content': { caretColor: 'var(--color-text)', padding: 'var(--space-1) 0' },
  '.cm-gutters': {
    borderRight: '1px solid var(--color-border)',
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-text-subtle)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '28px', padding: '0 var(--space-1-half) 0 var(--space-1)' },
  '.cm-specialChar': { color: 'var(--color-danger)' },
  '&.cm-focused .cm-matchingBracket, .cm-matchingBracket': { backgroundColor: selected },
  '&.cm-focused .cm-nonmatchingBracket, .cm-nonmatchingBracket': { backgroundColor: 'var(--color-danger-soft)' },
  '.cm-selectionMatch': { backgroundColor: selected },
  '.cm-searchMatch': { backgroundColor: 'var(--color-mark)', color: 'var(--color-mark-text)' },
  '.cm-searchMatch *': { color: 'inherit' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--color-accent)', color: 'var(--color-on-accent)' },
  '.cm-panels': { backgroundColor: 'var(--color-surface)', color: 'var(--color-text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--color-border)' },
  '.cm-panel.cm-search': { padding: 'var(--space-1-half)', paddingRight: 'var(--space-6)', font: 'inherit' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    fontSize: 'inherit',
    whiteSpace: 'nowrap',
  },
  '.cm-panel.cm-search [name=close]': {
    width: 'var(--h-control-sm)',
    height: 'var(--h-control-sm)',
    fontSize: 'var(--text-lg)',
    color: 'var(--color-text)',
    cursor: 'pointer',
  },
  '.cm-textfield': {
    height: 'var(--h-control-sm)',
    border: '1px solid var(--color-border-control)',
    borderRadius: 'var(--radius-1)',
    backgroundColor: 'var(--color-well)',
    color: 'var(--color-text)',
    fontSize: 'inherit',
  },
  '.cm-button': {
    height: 'var(--h-control-sm)',
    border: '1px solid var(--color-border-strong)',
    borderRadius: 'var(--radius-1)',
    backgroundColor: 'var(--color-raised)',
    backgroundImage: 'none',
    color: 'var(--color-text)',
    fontSize: 'inherit',
    cursor: 'pointer',
    '&:active': { backgroundColor: 'var(--color-hover)', backgroundImage: 'none' },
  },
});

/**
 * Makes the first editor of a page. The page's policy refuses `<style>` elements with text. CodeMirror fills a constructed style
 * sheet where the root has no `head`, as a shadow root, and stays with it.
 */
function underPolicy(make: () => EditorView): EditorView {
  if (!('adoptedStyleSheets' in document)) {
    return make();
  }
  Object.defineProperty(document, 'head', { value: null, configurable: true });
  try {
    return make();
  } finally {
    Reflect.deleteProperty(document, 'head');
  }
}
