/**
 * Extracts the text that people read or hear from a TypeScript source: sentences of JSX, spoken attributes, and
 * strings that read as prose (message tables, errors, help of commands). Values are in braces and choices in
 * brackets, so that each line can be read aloud: `[1 board / {count} boards]`.
 */
import { parseSync, visitorKeys } from 'oxc-parser';
import { isHtml, stringsOfHtml } from './html-strings.ts';
import { hasWords, oneLine, readsAsProse, type VisibleString } from './prose.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const part = (node: Node, key: string): unknown => Reflect.get(node, key);
const child = (node: Node, key: string): Node | undefined => {
  const value = part(node, key);
  return isNode(value) ? value : undefined;
};
const list = (node: Node, key: string): Node[] => {
  const value = part(node, key);
  return Array.isArray(value) ? value.filter(isNode) : [];
};
const name = (node: Node | undefined): string => {
  const value = node === undefined ? undefined : part(node, 'name');
  return typeof value === 'string' ? value : isNode(value) ? name(value) : '';
};

/** Attributes and properties that only people read. Any word in them counts as text. */
const spoken = new Set([
  'alt',
  'aria-label',
  'aria-description',
  'aria-roledescription',
  'aria-valuetext',
  'caption',
  'heading',
  'hint',
  'label',
  'placeholder',
  'title',
]);
/** Attributes that hold text for machines, even if it looks like words. */
const silent = new Set([
  'className',
  'class',
  'style',
  'd',
  'viewBox',
  'href',
  'src',
  'to',
  'id',
  'htmlFor',
  'rel',
  'sizes',
]);
/** HTML elements that start a new sentence. */
const blocks = new Set(
  'article aside blockquote button caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header label legend li main nav ol option p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
);
const longestValue = 40;

class Reader {
  readonly found: VisibleString[] = [];
  readonly #source: string;
  readonly #lineStarts: readonly number[];
  /** Nodes whose text is already part of a sentence. */
  readonly #taken = new Set<Node>();

  constructor(source: string) {
    this.#source = source;
    this.#lineStarts = [...source.matchAll(/\n/g)].map(({ index }) => index + 1);
  }

  #line(offset: number): number {
    return 1 + this.#lineStarts.filter((start) => start <= offset).length;
  }

  #add(offset: number, text: string, isText: (text: string) => boolean): void {
    const line = this.#line(offset);
    if (isHtml(text)) {
      this.found.push(...stringsOfHtml(text, line));
    } else if (isText(text)) {
      this.found.push({ line, text: oneLine(text) });
    }
  }

  /** Returns the words of an expression; null if it is not made of text. */
  #words(node: Node): string | null {
    switch (node.type) {
      case 'Literal': {
        const value = part(node, 'value');
        this.#taken.add(node);
        return typeof value === 'string' ? value : value === null ? '' : null;
      }
      case 'TemplateLiteral':
        this.#taken.add(node);
        return this.#template(node);
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'JSXExpressionContainer':
        return this.#part(child(node, 'expression'));
      case 'ConditionalExpression': {
        const choices = [child(node, 'consequent'), child(node, 'alternate')].map((choice) => this.#part(choice));
        return `[${choices.join(' / ')}]`;
      }
      case 'LogicalExpression':
        return part(node, 'operator') === '&&'
          ? `[${this.#part(child(node, 'right'))}]`
          : `[${this.#part(child(node, 'left'))} / ${this.#part(child(node, 'right'))}]`;
      case 'BinaryExpression':
        this.#taken.add(node);
        return `${this.#part(child(node, 'left'))}${this.#part(child(node, 'right'))}`;
      case 'JSXElement':
      case 'JSXFragment':
        return this.#element(node);
      default:
        return null;
    }
  }

  /** Returns the words of an expression, or its source in braces. */
  #part(node: Node | undefined): string {
    if (node === undefined || node.type === 'JSXEmptyExpression') {
      return '';
    }
    const value = oneLine(this.#source.slice(node.start, node.end)).replaceAll(/[{}<>]/g, '');
    return this.#words(node) ?? `{${value.length > longestValue ? `${value.slice(0, longestValue)}…` : value}}`;
  }

  #template(node: Node): string {
    const expressions = list(node, 'expressions');
    return list(node, 'quasis')
      .map((quasi, index) => {
        const { cooked, raw } = part(quasi, 'value') as { cooked?: string; raw: string };
        const expression = expressions[index];
        return (cooked ?? raw) + (expression === undefined ? '' : this.#part(expression));
      })
      .join('');
  }

  /** Joins the children of an element into one sentence. */
  #element(node: Node): string {
    this.#taken.add(node);
    const children = list(node, 'children').map((item) => {
      if (item.type === 'JSXText') {
        return jsxText(String(part(item, 'value')));
      }
      return item.type === 'JSXElement' && isBlock(item) ? ' ' : this.#part(item);
    });
    const text = children.join('');
    const tag = tagOf(node);
    return tag === 'br' ? ' ' : text !== '' || /^[a-z]/.test(tag) || tag === '' ? text : `{${tag}}`;
  }

  /** Returns true if the children form a sentence, and not just a row of elements. */
  #isSentence(node: Node): boolean {
    return list(node, 'children').some((item) => {
      const inner = item.type === 'JSXExpressionContainer' ? child(item, 'expression') : undefined;
      return (
        (item.type === 'JSXText' && String(part(item, 'value')).trim() !== '') ||
        (inner !== undefined && /^(Literal|TemplateLiteral)$/.test(inner.type))
      );
    });
  }

  visit(node: Node): void {
    if (
      this.#taken.has(node) &&
      node.type !== 'JSXElement' &&
      node.type !== 'JSXFragment' &&
      node.type !== 'TemplateLiteral'
    ) {
      return;
    }
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
      case 'TSLiteralType':
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAnnotation':
      case 'TSTypeParameterInstantiation':
        return;
      case 'JSXElement':
      case 'JSXFragment':
        if (!this.#taken.has(node) && this.#isSentence(node)) {
          const first =
            list(node, 'children').find((item) => this.#source.slice(item.start, item.end).trim() !== '') ?? node;
          const blank = this.#source.slice(first.start).search(/\S/);
          this.#add(first.start + Math.max(blank, 0), this.#element(node), hasWords);
        }
        break;
      case 'JSXAttribute':
      case 'Property':
        this.#named(node);
        return;
      case 'BinaryExpression':
        if (part(node, 'operator') !== '+') {
          return;
        }
        if (!this.#taken.has(node)) {
          this.#add(node.start, this.#words(node) ?? '', readsAsProse);
        }
        break;
      case 'SwitchCase':
        for (const statement of list(node, 'consequent')) {
          this.visit(statement);
        }
        return;
      case 'TaggedTemplateExpression':
      case 'JSXText':
        return;
      case 'ExpressionStatement':
        if (typeof part(node, 'directive') === 'string') {
          return;
        }
        break;
      case 'Literal':
      case 'TemplateLiteral':
        if (!this.#taken.has(node)) {
          this.#add(node.start, this.#words(node) ?? '', readsAsProse);
        }
        break;
      default:
    }
    this.#children(node);
  }

  /** Visits an attribute or property. Its name decides if people read the value. */
  #named(node: Node): void {
    const keyNode = child(node, node.type === 'Property' ? 'key' : 'name');
    const key = keyNode?.type === 'Literal' ? String(part(keyNode, 'value')) : name(keyNode);
    const value = child(node, 'value');
    if (value === undefined || (node.type === 'JSXAttribute' && silent.has(key))) {
      return;
    }
    const inner = value.type === 'JSXExpressionContainer' ? child(value, 'expression') : value;
    if (
      spoken.has(key) &&
      inner !== undefined &&
      /^(Literal|TemplateLiteral|ConditionalExpression)$/.test(inner.type)
    ) {
      this.#add(inner.start, this.#part(inner), hasWords);
    }
    this.visit(value);
  }

  #children(node: Node): void {
    for (const key of visitorKeys[node.type] ?? []) {
      const value = part(node, key);
      for (const item of Array.isArray(value) ? value : [value]) {
        if (isNode(item)) {
          this.visit(item);
        }
      }
    }
  }
}

const tagOf = (element: Node): string => name(child(child(element, 'openingElement') ?? element, 'name'));
const isBlock = (element: Node): boolean => blocks.has(tagOf(element));

/** Normalises text between tags like React: trims each line and joins lines by one space. Spaces within a line stay. */
function jsxText(text: string): string {
  const lines = text.split('\n');
  const trimmed = lines.map((line, index) => {
    const head = index === 0 ? line : line.trimStart();
    return index === lines.length - 1 ? head : head.trimEnd();
  });
  return trimmed.filter((line) => line !== '').join(' ');
}

/**
 * Returns the strings of one source, in line order.
 *
 * @throws Error if the source cannot be parsed.
 */
export function stringsOfSource(path: string, source: string): VisibleString[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) {
    throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  }
  const reader = new Reader(source);
  reader.visit(program as unknown as Node);
  return reader.found.toSorted((one, other) => one.line - other.line);
}
