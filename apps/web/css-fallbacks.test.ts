import { describe, expect, it } from 'vitest';
import { cssFallbacks } from './css-fallbacks.ts';

/** Without what every sheet of fallbacks begins with. */
const fallbacks = (...sheets: string[]) => {
  const { css, has } = cssFallbacks(sheets);
  return { css: css.replace(/^@supports not selector\(:popover-open\)\{\[popover\][^}]*\}\}/, ''), has };
};

describe('fallbacks for browsers without newer CSS', () => {
  it('hide popovers that are not open', () => {
    expect(cssFallbacks([]).css).toBe(
      '@supports not selector(:popover-open){[popover]:not([data-popover-open]){display:none}}',
    );
  });

  it('are empty for CSS that every browser understands', () => {
    expect(fallbacks('@charset "utf-8";.a{color:red}@media (max-width:720px){.a{content:"}dvh:has("}}').css).toBe('');
  });

  it('replace :has with an attribute and report which', () => {
    expect(fallbacks('.a:has(.b:focus-visible),.c{color:red}', '.d:not(:has(form)) .e{margin:0}')).toEqual({
      css:
        '@supports not selector(:has(a)){:root .a[data-has~="0"],:root .c{color:red}}' +
        '@supports not selector(:has(a)){:root .d:not([data-has~="1"]) .e{margin:0}}',
      has: ['.b:focus-visible', 'form'],
    });
  });

  it('number what is asked for twice once, and keep the condition around it', () => {
    expect(fallbacks('.a:has(b){top:0}@media print{:is(.c:has(b),.d:has(> e)){top:0}}')).toEqual({
      css:
        '@supports not selector(:has(a)){:root .a[data-has~="0"]{top:0}}' +
        '@media print{@supports not selector(:has(a)){:root :is(.c[data-has~="0"],.d[data-has~="1"]){top:0}}}',
      has: ['b', '> e'],
    });
  });

  it('count the height of the window without dvh', () => {
    expect(fallbacks('.a{height:clamp(180px,40dvh,380px);color:red}').css).toBe('.a{height:clamp(180px,40vh,380px)}');
  });

  it('win over a height that is found to be wrong only once its variables are known, and lose to later rules still', () => {
    expect(
      fallbacks('.a{height:calc(100dvh - var(--h))}@media (max-width:720px){.a{height:auto;color:red}.b{height:auto}}')
        .css,
    ).toBe(
      '@supports not (height:1dvh){:root .a{height:calc(100vh - var(--h))}}' +
        '@media (max-width:720px){@supports not (height:1dvh){:root .a{height:auto}}}',
    );
  });

  it('ask for the width of the window instead of that of a container', () => {
    expect(fallbacks('@container (600px<width<940px){.a{top:0}}@container (width<=40px){.b,.c{top:0}}').css).toBe(
      '@supports not (container-type:inline-size){@media (min-width:600.02px) and (max-width:939.98px){:root .a{top:0}}}' +
        '@supports not (container-type:inline-size){@media (max-width:40px){:root .b,:root .c{top:0}}}',
    );
  });

  it('show an opened popover as the original does', () => {
    expect(fallbacks('.a:popover-open{display:flex}').css).toBe(
      '@supports not selector(:popover-open){:root .a[data-popover-open]{display:flex}}',
    );
  });
});
