/**
 * Makes the guides of the documentation from their Markdown (src/pages/docs): `import { guide } from './guide.md?guide'`
 * imports the chapters that `guide.md` lists, as a tree without what the other edition has. Browsers get no parser.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { Plugin } from 'vite';
import { isStaticEdition } from './edition.ts';
import { docsLink, guidePaths, serverNames } from './src/pages/docs/docs-links.ts';
import {
  type DocsGroup,
  type DocsNode,
  type DocsRow,
  type DocsSection,
  type GuideTexts,
  valueName,
} from './src/pages/docs/docs-model.ts';
import sizes from './src/pages/docs/pictures/sizes.json' with { type: 'json' };
import { demoVideoLabel } from './src/shared/videos/demo-videos.ts';

export type Edition = 'server' | 'static';

/** A name in a text, and where it is: file and line. */
interface NamedPlace {
  readonly name: string;
  readonly place: string;
}

export interface CompiledGuide {
  readonly texts: GuideTexts;
  /** Paths of the files that the guide is made of. */
  readonly files: readonly string[];
  /** Mistakes of the writer, each with file and line. */
  readonly faults: readonly string[];
  /** Values and rows that the texts of both editions name. */
  readonly values: readonly NamedPlace[];
  readonly rows: readonly NamedPlace[];
}

const docs = join(import.meta.dirname, 'src', 'pages', 'docs');
const root = join(import.meta.dirname, '..', '..');

type Root = ReturnType<typeof fromMarkdown>;
type Content = Root['children'][number];
type ContentOf<Type extends Content['type']> = Extract<Content, { type: Type }>;

/** The files of a guide while they are read, one after the other. */
interface Reading {
  readonly folder: string;
  readonly edition: Edition;
  /** Path of the file that is being read. */
  file: string;
  readonly files: string[];
  readonly faults: string[];
  readonly anchors: Set<string>;
  readonly links: NamedPlace[];
  readonly values: NamedPlace[];
  readonly rows: NamedPlace[];
}

/** A node, or a tag with everything up to its end. */
interface Part {
  readonly node: Content;
  readonly tag: string | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Content[];
}

export function guideTexts(): Plugin {
  let edition: Edition = 'server';
  return {
    name: 'wirebench:guide-texts',
    configResolved({ mode }) {
      edition = isStaticEdition(mode) ? 'static' : 'server';
    },
    load: {
      filter: { id: /\.md\?guide$/ },
      handler(id) {
        const { texts, files, faults } = compileGuide(dirname(id), edition);
        for (const file of files) {
          this.addWatchFile(file);
        }
        if (faults.length > 0) {
          this.error(`The guide has mistakes.\n${faults.join('\n')}`);
        }
        return { code: `export const guide = ${JSON.stringify(texts)};`, moduleType: 'js' };
      },
    },
  };
}

/**
 * Reads the guide of a folder, and checks its links also to the anchors of the others.
 *
 * @param folder Path of the folder with `guide.md`.
 */
export function compileGuide(folder: string, edition: Edition): CompiledGuide {
  const { reading, texts } = readGuide(folder, edition);
  const others = new Map<string, Reading>();
  for (const { name, place } of reading.links) {
    const [, scheme, target = '', anchor] = /^(?:(\w+):([\w.-]+))?[^#]*(?:#(.*))?$/.exec(name) ?? [];
    const isElsewhere = edition === 'static' && serverNames.includes(target);
    if (docsLink(name) === null || (scheme !== 'download' && isElsewhere)) {
      reading.faults.push(`${place}: the link leads nowhere: ${name}`);
    } else if (anchor !== undefined && scheme !== 'page') {
      if (scheme === 'guide' && !others.has(target)) {
        others.set(target, readGuide(join(docs, target), edition).reading);
      }
      if (!(others.get(target) ?? reading).anchors.has(anchor)) {
        reading.faults.push(`${place}: the link leads to no anchor: ${name}`);
      }
    }
  }
  const { files, faults, values, rows } = reading;
  return { texts, files, faults, values, rows };
}

function readGuide(folder: string, edition: Edition): { readonly reading: Reading; readonly texts: GuideTexts } {
  const reading: Reading = {
    folder,
    edition,
    file: '',
    files: [],
    faults: [],
    anchors: new Set(),
    links: [],
    values: [],
    rows: [],
  };
  let title = '';
  let lead = '';
  const chapters: { readonly name: string; readonly files: GuideFile[] }[] = [];
  for (const node of open(reading, 'guide.md')) {
    if (node.type === 'heading' && node.depth === 1) {
      title = plain(reading, node.children, node);
    } else if (node.type === 'heading') {
      chapters.push({ name: plain(reading, node.children, node), files: [] });
    } else if (node.type === 'paragraph' && chapters.length === 0) {
      lead = plain(reading, node.children, node);
    } else if (node.type === 'list' && chapters.length > 0) {
      chapters.at(-1)?.files.push(...filesOf(reading, node));
    } else {
      fault(reading, node, 'only a title, a lead, names of chapters and lists of files are possible here');
    }
  }
  const groups: DocsGroup[] = chapters
    .map(({ name, files }) => ({
      name,
      pages: files
        .map(({ file, title, lead }) => ({ title, lead, sections: readSections(reading, file) }))
        .filter(({ sections }) => sections.length > 0),
    }))
    .filter(({ pages }) => pages.length > 0);
  return { reading, texts: { title, lead, groups } };
}

/** A file of a guide. With a sentence in `lead` it is a page of its own, else a part of the guide's first page. */
interface GuideFile {
  readonly file: string;
  readonly title: string;
  readonly lead: string;
}

/** The files that a list names: `- [part](part.md)` of the first page, `- [Task](task.md): Sentence.` as a page. */
function filesOf(reading: Reading, list: ContentOf<'list'>): GuideFile[] {
  return list.children.flatMap((item) => {
    const [first] = item.children;
    const [link, ...rest] = first?.type === 'paragraph' ? first.children : [];
    if (link?.type !== 'link') {
      fault(reading, item, 'an item is a link to a file, and for a page of its own a colon and a sentence');
      return [];
    }
    const lead = plain(reading, rest, item);
    if (lead !== '' && !/^: .*\.$/.test(lead)) {
      fault(reading, item, 'behind the link to a page are a colon and a sentence: [Task](task.md): Sentence.');
    }
    return [{ file: link.url, title: plain(reading, link.children, link), lead: lead.replace(/^: /, '') }];
  });
}

/** Opens a file of the guide. Returns no nodes if it is missing. */
function open(reading: Reading, name: string): readonly Content[] {
  reading.file = join(reading.folder, name);
  reading.files.push(reading.file);
  if (!existsSync(reading.file)) {
    reading.faults.push(`${placeOf(reading, 1)}: there is no such file`);
    return [];
  }
  const text = readFileSync(reading.file, 'utf8');
  for (const [index, line] of text.split('\n').entries()) {
    const place = placeOf(reading, index + 1);
    reading.values.push(...Array.from(line.matchAll(valueName), ([, name = '']) => ({ name, place })));
  }
  return fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }).children;
}

const placeOf = ({ file }: Reading, line: number) => `${relative(root, file).split(sep).join('/')}:${line}`;

function fault(reading: Reading, node: Content, problem: string): void {
  reading.faults.push(`${placeOf(reading, node.position?.start.line ?? 1)}: ${problem}`);
}

/** The sections of a file: each begins with a heading of the second level. */
function readSections(reading: Reading, name: string): DocsSection[] {
  const sections: { readonly heading: Content | null; readonly nodes: Content[] }[] = [{ heading: null, nodes: [] }];
  for (const node of open(reading, name)) {
    if (node.type === 'heading' && node.depth === 2) {
      sections.push({ heading: node, nodes: [] });
    } else {
      sections.at(-1)?.nodes.push(node);
    }
  }
  return sections.flatMap(({ heading, nodes }) => {
    if (heading?.type !== 'heading') {
      if (nodes[0] !== undefined) {
        fault(reading, nodes[0], 'a file begins with the heading of a section: ## Title {#anchor}');
      }
      return [];
    }
    const found = readHeading(reading, heading);
    return found === null || (found.only !== null && found.only !== reading.edition)
      ? []
      : [{ id: anchor(reading, heading, found.id), title: found.title, body: blocks(reading, nodes) }];
  });
}

/** A heading with its anchor, `## Title {#anchor}`, and the edition that has the section, `{#anchor server}`. */
function readHeading(reading: Reading, heading: ContentOf<'heading'>) {
  const text = plain(reading, heading.children, heading);
  const [, title = '', id = '', only = null] = /^(.*?)\s*\{#([\w-]+)(?: (server|static))?\}$/.exec(text) ?? [];
  if (id === '') {
    fault(reading, heading, `the heading needs an anchor: ${text} {#anchor}`);
    return null;
  }
  return { id, title, only };
}

function anchor(reading: Reading, node: Content, id: string): string {
  if (reading.anchors.has(id)) {
    fault(reading, node, `the guide has two anchors ${id}`);
  }
  reading.anchors.add(id);
  return id;
}

const tagPattern = /^<(\/?)([a-z]+)((?:\s+[a-z]+(?:="[^"]*")?)*)\s*>$/;

/** Joins tags with what is between them. */
function partsOf(reading: Reading, nodes: readonly Content[]): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (node === undefined || node.type !== 'html') {
      parts.push(...(node === undefined ? [] : [{ node, tag: null, attributes: {}, children: [] }]));
      continue;
    }
    const [, closes = '', tag = '', written = ''] = tagPattern.exec(node.value) ?? [];
    const end = nodes.findIndex((other, place) => place > at && other.type === 'html' && other.value === `</${tag}>`);
    if (tag === '' || closes !== '' || end < 0) {
      fault(reading, node, `this is no part, or has no end, or needs an empty line around it: ${node.value}`);
      continue;
    }
    const attributes = Object.fromEntries(
      Array.from(written.matchAll(/([a-z]+)(?:="([^"]*)")?/g), ([, name = '', value = '']) => [name, value]),
    );
    parts.push({ node, tag, attributes, children: nodes.slice(at + 1, end) });
    at = end;
  }
  return parts;
}

function blocks(reading: Reading, nodes: readonly Content[]): DocsNode[] {
  return partsOf(reading, nodes).flatMap((part) => block(reading, part));
}

function block(reading: Reading, { node, tag, attributes, children }: Part): readonly DocsNode[] {
  if (tag === 'server' || tag === 'static') {
    const inside = blocks(reading, children);
    return tag === reading.edition ? inside : [];
  }
  if (tag === 'table') {
    return table(reading, node, attributes, children[0]);
  }
  if (tag === 'steps' && children[0]?.type === 'list' && children.length === 1) {
    return [['steps', ...items(reading, children[0])]];
  }
  if (tag === null && node.type === 'paragraph') {
    return paragraph(reading, node);
  }
  if (tag === null && node.type === 'list') {
    return [[node.ordered === true ? 'ol' : 'ul', ...items(reading, node)]];
  }
  if (tag === null && node.type === 'heading' && node.depth === 3) {
    const found = readHeading(reading, node);
    if (found?.only) {
      fault(reading, node, 'only a section can be for one edition: put the rest between <server> and </server>');
    }
    return found === null ? [] : [['h3', anchor(reading, node, found.id), found.title]];
  }
  if (tag === null && node.type === 'code') {
    if (typeof node.meta === 'string') {
      return [['pre', node.meta, node.value]];
    }
    fault(reading, node, 'a sample of code needs a language and a name: ```json jkit.json');
    return [];
  }
  fault(reading, node, `this part is not possible here: ${tag ?? node.type}`);
  return [];
}

function paragraph(reading: Reading, node: ContentOf<'paragraph'>): readonly DocsNode[] {
  const [only] = node.children;
  if (only?.type !== 'image' || node.children.length > 1) {
    return [['p', ...inlines(reading, node.children)]];
  }
  const name = only.url.replace(/^picture:/, '');
  const files = ['dark', 'light'].map((theme) => join(docs, 'pictures', `${name}-${theme}.webp`));
  if (name === only.url || !Object.hasOwn(sizes, name) || !files.every((file) => existsSync(file))) {
    fault(reading, node, `there is no picture ${only.url} in both themes: name one of npm run pictures`);
  } else if (!only.alt || !only.title) {
    fault(reading, node, 'a picture needs a text for screen readers and a caption: ![text](picture:name "caption")');
  }
  return [['img', name, only.alt ?? '', only.title ?? '']];
}

function items(reading: Reading, list: ContentOf<'list'>): DocsNode[] {
  return list.children.map((item) => {
    const [first] = item.children;
    if (first?.type !== 'paragraph' || item.children.length > 1) {
      fault(reading, item, 'an item of a list is one paragraph');
      return ['li'];
    }
    return ['li', ...inlines(reading, first.children)];
  });
}

function table(
  reading: Reading,
  tag: Content,
  { label = '', rows: data = '', mono }: Part['attributes'],
  node: Content | undefined,
): readonly DocsNode[] {
  if (node?.type !== 'table' || label === '') {
    fault(reading, tag, 'a table is <table label="…">, an empty line, a table in Markdown, an empty line, </table>');
    return [];
  }
  if (data !== '') {
    reading.rows.push({ name: data, place: placeOf(reading, tag.position?.start.line ?? 1) });
  }
  const [head, ...rows] = node.children;
  return [
    [
      'table',
      label,
      mono !== undefined,
      data,
      (head?.children ?? []).map((cell) => plain(reading, cell.children, cell)),
      ...rows.flatMap((row): DocsRow[] => {
        const [name, ...cells] = row.children.map((cell) => inlines(reading, cell.children));
        if (name?.every((part) => typeof part === 'string')) {
          // A row that only the other edition has is without a name here.
          return name.length === 0 ? [] : [[name.join(''), ...cells.map(oneNode)]];
        }
        fault(reading, row, 'the first cell of a row is plain text');
        return [];
      }),
    ],
  ];
}

const oneNode = (nodes: readonly DocsNode[]): DocsNode =>
  nodes.length === 1 ? (nodes[0] ?? '') : nodes.length === 0 ? '' : ['', ...nodes];

/** Returns the text of a heading or another place where nothing but text is possible. */
function plain(reading: Reading, nodes: readonly Content[], place: Content): string {
  const found = inlines(reading, nodes);
  if (!found.every((part) => typeof part === 'string')) {
    fault(reading, place, 'only plain text is possible here');
  }
  return found.filter((part) => typeof part === 'string').join('');
}

function inlines(reading: Reading, nodes: readonly Content[]): DocsNode[] {
  const joined: DocsNode[] = [];
  for (const node of partsOf(reading, nodes).flatMap((part) => inline(reading, part))) {
    const last = joined.at(-1);
    if (typeof node === 'string' && typeof last === 'string') {
      joined.splice(-1, 1, last + node);
    } else {
      joined.push(node);
    }
  }
  return joined;
}

function inline(reading: Reading, { node, tag, children }: Part): readonly DocsNode[] {
  if (tag === 'server' || tag === 'static') {
    const inside = inlines(reading, children);
    return tag === reading.edition ? inside : [];
  }
  if (tag === 'kbd') {
    return [['kbd', ...inlines(reading, children)]];
  }
  if (tag === null && node.type === 'text') {
    return [node.value.replaceAll('\n', ' ')];
  }
  if (tag === null && node.type === 'inlineCode') {
    return [['code', node.value]];
  }
  if (tag === null && (node.type === 'emphasis' || node.type === 'strong')) {
    return [[node.type === 'strong' ? 'b' : 'em', ...inlines(reading, node.children)]];
  }
  if (tag === null && node.type === 'link') {
    return [link(reading, node)];
  }
  fault(reading, node, `this part is not possible here: ${tag ?? node.type}`);
  return [];
}

function link(reading: Reading, node: ContentOf<'link'>): DocsNode {
  const children = inlines(reading, node.children);
  const [, video] = /^video:(.*)$/.exec(node.url) ?? [];
  if (video === undefined) {
    reading.links.push({ name: node.url, place: placeOf(reading, node.position?.start.line ?? 1) });
    return ['a', node.url, ...children];
  }
  if (!Object.hasOwn(demoVideoLabel, video)) {
    fault(reading, node, `there is no video ${video}: name one of ${Object.keys(demoVideoLabel).join(', ')}`);
  }
  return ['video', video, plain(reading, node.children, node)];
}

/** Folders of the guides. */
export const guideFolders: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(guidePaths).map((name) => [name, join(docs, name)]),
);
