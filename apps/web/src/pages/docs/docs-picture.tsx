import styles from './docs-picture.module.css';
import sizes from './pictures/sizes.json' with { type: 'json' };

export type PictureName = keyof typeof sizes;

/** Address of each file, `./pictures/<name>-<theme>.webp`. */
const files = import.meta.glob<string>('./pictures/*.webp', { eager: true, query: '?url', import: 'default' });

export interface DocsPictureProps {
  /** One of those that `npm run pictures` takes. */
  readonly name: PictureName;
  /** Content of the picture, for screen readers. */
  readonly alt: string;
  /** Caption: the detail to look at. */
  readonly children: string;
}

/** A picture of the product in the theme of the page. It keeps its place before it is there, and is fetched when it comes near. */
export function DocsPicture({ name, alt, children }: DocsPictureProps) {
  return (
    <figure className={styles['picture']}>
      {(['dark', 'light'] as const).map((theme) => (
        <img
          key={theme}
          // Before its address: a picture that is not shown must not be fetched.
          loading="lazy"
          decoding="async"
          src={files[`./pictures/${name}-${theme}.webp`]}
          {...sizes[name]}
          alt={alt}
          data-for={theme}
        />
      ))}
      <figcaption>{children}</figcaption>
    </figure>
  );
}
