/** Dependencies of the manifests: their versions are exact, and `docs/dependencies.md` has a line about each. */
import type { Finding } from './arrows.ts';
import type { SourceFile } from './source-files.ts';

const groups = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const;

type Manifest = { readonly [Group in (typeof groups)[number]]?: Readonly<Record<string, string>> };

/** Page that describes each dependency. */
const page = 'docs/dependencies.md';

/**
 * Returns versions that are ranges, dependencies without a line in the page, and lines about packages that no manifest
 * names. The workspaces' own packages have no versions.
 *
 * @param manifests Every `package.json`.
 * @param description The page.
 */
export function findDependencyFaults(manifests: readonly SourceFile[], description: SourceFile | undefined): Finding[] {
  const named = manifests.flatMap(({ path, text }) => {
    const manifest = JSON.parse(text) as Manifest;
    return groups.flatMap((group) =>
      Object.entries(manifest[group] ?? {})
        .filter(([name]) => !name.startsWith('@wirebench/'))
        .map(([name, version]) => ({ path, name, version })),
    );
  });
  const cells = [...(description?.text ?? '').matchAll(/^\| (`[^|]+`) \|/gm)].map(([, cell = '']) => cell);
  const described = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  const names = new Set(named.map(({ name }) => name));
  return [
    ...named
      .filter(({ version }) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      .map(({ path, name, version }) => ({ path, problem: `the version of ${name} is not exact: ${version}` })),
    ...[...names]
      .filter((name) => !described.includes(name))
      .map((name) => ({ path: page, problem: `no line describes the dependency ${name}` })),
    ...described
      .filter((name) => !names.has(name))
      .map((name) => ({ path: page, problem: `no manifest names the package ${name}` })),
  ];
}
