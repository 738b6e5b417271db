import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { Markdown } from './markdown.tsx';
import { markdownNodes } from './markdown-nodes.tsx';

afterEach(cleanup);

function html(text: string): string {
  return render(<div>{markdownNodes(text)}</div>).container.firstElementChild?.innerHTML ?? '';
}

describe('Markdown', () => {
  it('is shown as it was written until its reader is there', async () => {
    render(<Markdown text={'**Fixed** it\nagain'} />);
    expect(screen.getByText(/\*\*Fixed\*\* it/)).toBeTruthy();
    expect((await screen.findByText('Fixed')).tagName).toBe('STRONG');
  });

  it('puts headings below those of the page, and keeps lists, code and emphasis', () => {
    expect(html('# One\n\n- a\n- `b`\n\n1. *c*')).toBe(
      '<h3>One</h3>\n<ul>\n<li>a</li>\n<li><code>b</code></li>\n</ul>\n<ol>\n<li><em>c</em></li>\n</ol>',
    );
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<iframe srcdoc="x"></iframe>',
    '[a](javascript:alert(1))',
    '[a](data:text/html,x)',
    '<javascript:alert(1)>',
    '[a]( java\nscript:alert(1))',
    '![alt](https://tracker.example/x.png "t")',
    '[a](/app/uart)',
  ])('shows nothing but text for %s', (text) => {
    const { container } = render(<div>{markdownNodes(text)}</div>);
    expect(container.querySelectorAll('script, img, iframe, a')).toHaveLength(0);
  });

  it('opens links elsewhere, and sends the other side nothing', () => {
    const { container } = render(<div>{markdownNodes('[notes](https://example.com/?a=1&b=2)')}</div>);
    const link = container.querySelector('a');
    expect([link?.getAttribute('href'), link?.target, link?.rel]).toEqual([
      'https://example.com/?a=1&b=2',
      '_blank',
      'noopener noreferrer nofollow ugc',
    ]);
  });
});
