/**
 * Commands for publishing from a build server: a command line and a workflow step, with this server and the project
 * filled in.
 */
import { CopyBlock } from '../../../shared/ui/copy-block.tsx';
import styles from './token-form.module.css';

export interface PublishCommandsProps {
  /** Name of the token's project. */
  readonly project: string;
}

export function PublishCommands({ project }: PublishCommandsProps) {
  const { origin } = location;
  return (
    <section aria-label="Publish from a build server" className={styles['commands']}>
      <p>
        The token belongs in the environment variable <code>WIREBENCH_TOKEN</code>: on a build server, among its
        secrets. The program needs Node 20 or newer and nothing else.{' '}
        <a href="/publish-release.mjs" download className="link">
          Download publish-release.mjs
        </a>
      </p>
      <CopyBlock name="Command" text={publishCommand(origin, project)} />
      <CopyBlock name="Command for several chips" text={buildsCommand(origin, project)} />
      <CopyBlock name="GitHub Actions step" text={workflowStep(origin, project)} />
    </section>
  );
}

export function publishCommand(origin: string, project: string): string {
  return `curl -fsSO ${origin}/publish-release.mjs
node publish-release.mjs --server ${origin} --project ${shellQuoted(project)} --version 1.0.0 --build build`;
}

/** The same for builds of two chips, as a beta version. */
function buildsCommand(origin: string, project: string): string {
  return `node publish-release.mjs --server ${origin} --project ${shellQuoted(project)} --version 1.0.0-rc1 --channel beta \\
  --build esp32=build/esp32 --build esp32s3=build/esp32s3 --guard flash=8MB`;
}

/**
 * The tag's name is the version. It is passed in a variable, because a shell would execute parts of a malicious name.
 */
export function workflowStep(origin: string, project: string): string {
  return `- name: Publish the firmware
  env:
    WIREBENCH_TOKEN: \${{ secrets.WIREBENCH_TOKEN }}
  run: |
    curl -fsSO ${origin}/publish-release.mjs
    node publish-release.mjs --server ${origin} --project ${shellQuoted(project)} --version "$GITHUB_REF_NAME" --build build`;
}

/** Quotes any text as one word of a POSIX shell. */
const shellQuoted = (word: string) =>
  /^[\w.-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`;
