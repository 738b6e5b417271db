/**
 * Finds the packages in an archive: at its top, in a folder, or in an inner archive, as download pages and build
 * servers pack them.
 */
import { readNestedZip, type ZipFile } from '../../images/formats/zip.ts';
import { ImageError } from '../../images/image-error.ts';
import { isPackageManifest, manifestName } from './manifest.ts';
import { PackageError } from './package-fault.ts';

/**
 * Unpacks an archive with its inner archives.
 *
 * @throws PackageError `package-damaged`.
 */
export function openArchive(bytes: Uint8Array): readonly ZipFile[] {
  try {
    return readNestedZip(bytes);
  } catch (cause) {
    if (cause instanceof ImageError) {
      throw new PackageError('package-damaged', { cause, ...(cause.where !== null && { where: cause.where }) });
    }
    throw cause;
  }
}

/**
 * Returns the files of the only package, named relative to its manifest. Null if the archive has no package.
 *
 * @throws PackageError `several-packages` with their names.
 */
export function packageIn(files: readonly ZipFile[]): readonly ZipFile[] | null {
  const isManifest = ({ name }: ZipFile) => name === manifestName || name.endsWith(`/${manifestName}`);
  const all = files.filter(isManifest);
  const known = all.filter(({ bytes }) => isPackageManifest(bytes));
  const manifests = known.length > 0 ? known : all;
  const [manifest, ...others] = manifests;
  if (manifest === undefined) {
    return null;
  }
  if (others.length > 0) {
    throw severalPackages(manifests.map(({ name }) => folderOf(name).replace(/\/$/, '') || manifestName));
  }
  const folder = folderOf(manifest.name);
  return files
    .filter(({ name }) => name.startsWith(folder))
    .map(({ name, bytes }) => ({ name: name.slice(folder.length), bytes }));
}

export const severalPackages = (names: readonly string[]) =>
  new PackageError('several-packages', { what: `The archive contains several packages: ${names.join(', ')}.` });

const folderOf = (name: string) => name.slice(0, name.lastIndexOf('/') + 1);
