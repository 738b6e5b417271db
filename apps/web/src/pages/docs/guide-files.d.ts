/** The module that the build makes of a guide's Markdown (`guide-texts.ts`). */
declare module '*.md?guide' {
  export const guide: import('./docs-model.ts').GuideTexts;
}

/** Facts of the served `wirebench.tgz`, which the build packs (`node-programs.ts`). `size` is in bytes, `sha256` in hex. */
declare module 'virtual:wirebench-program' {
  export const program: { readonly version: string; readonly size: number; readonly sha256: string };
}

/** The index of the search, which the build makes (`docs-search-build.ts`). */
declare module 'virtual:docs-passages' {
  export const passages: readonly import('./docs-search.ts').DocsPassage[];
}
