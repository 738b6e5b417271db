/** The firmware calls of one caller, through `inject`. */
import {
  firmwarePaths,
  type PictureTheme,
  type Project,
  ProjectAnswer,
  ProjectList,
  picturePaths,
  type Version,
  VersionAnswer,
} from '@wirebench/contract';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';

type Headers = Readonly<Record<string, string>>;

export interface TestFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Fields of a form for a new version. Undefined fields are left out. */
export interface TestVersion {
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly offsets?: string | undefined;
  readonly console?: string | undefined;
  readonly acceptDamaged?: string | undefined;
  readonly replaceOldest?: string | undefined;
  /** JSON text. With it, the form has no default offsets. */
  readonly builds?: string | undefined;
  readonly channel?: string | undefined;
  readonly files?: readonly TestFile[];
  readonly elf?: TestFile | undefined;
  /** True: the files come before the fields. */
  readonly filesFirst?: boolean;
}

export const firmwareFile: TestFile = { name: 'app.bin', bytes: Buffer.from('bytes of an app') };

/** Returns the relevant header bytes of an ELF file of an Espressif program, followed by `content`. */
export function elfFile(content: string | Uint8Array = 'a program', { type = 2, machine = 243 } = {}): TestFile {
  const head = Buffer.alloc(52);
  head.write('\x7fELF\x01\x01\x01', 'latin1');
  head.writeUInt16LE(type, 16);
  head.writeUInt16LE(machine, 18);
  return { name: 'app.elf', bytes: Buffer.concat([head, Buffer.from(content)]) };
}

export function releaseClient(app: FastifyInstance, headers: Headers) {
  const call = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: unknown, extra: Headers = {}) =>
    app.inject({
      method,
      url,
      headers: { ...headers, ...extra },
      ...(body === undefined ? {} : { payload: body as object }),
    });
  const post = (url: string, body?: unknown) => call('POST', url, body);

  const upload = async (projectId: string, version: TestVersion = {}): Promise<LightMyRequestResponse> => {
    const { payload, contentType } = await encodeForm(projectId, version);
    return call('POST', firmwarePaths.newVersion, payload, { 'content-type': contentType });
  };

  return {
    get: (url: string, extra: Headers = {}) => call('GET', url, undefined, extra),
    post,
    remove: (url: string) => call('DELETE', url),
    upload,

    /** @param field Form field of the file. @param buildId Build that it is for. */
    uploadElf: async (
      versionId: string,
      { name, bytes }: TestFile,
      field = 'elf',
      buildId?: string,
    ): Promise<LightMyRequestResponse> => {
      const form = new FormData();
      form.append(field, new Blob([new Uint8Array(bytes)]), name);
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const payload = Buffer.from(await encoded.arrayBuffer());
      return call('POST', firmwarePaths.versionElf(versionId, buildId), payload, { 'content-type': type });
    },

    uploadPicture: async (
      projectId: string,
      { name, bytes }: TestFile,
      { text, theme }: { readonly text?: string; readonly theme?: PictureTheme },
    ): Promise<LightMyRequestResponse> => {
      const form = new FormData();
      if (text !== undefined) {
        form.append('text', text);
      }
      form.append('picture', new Blob([new Uint8Array(bytes)]), name);
      const encoded = new Response(form);
      const type = encoded.headers.get('content-type') ?? '';
      const payload = Buffer.from(await encoded.arrayBuffer());
      return call('POST', picturePaths.own(projectId, theme), payload, { 'content-type': type });
    },

    async projects(): Promise<Project[]> {
      return ProjectList.parse((await call('GET', firmwarePaths.projects)).json()).projects;
    },

    async newProject(name = 'Blinker', more: object = {}): Promise<Project> {
      return ProjectAnswer.parse(await created(post(firmwarePaths.newProject, { name, deviceModel: 'esp32', ...more })))
        .project;
    },

    async newVersion(projectId: string, version: TestVersion = {}): Promise<Version> {
      return VersionAnswer.parse(await created(upload(projectId, version))).version;
    },

    setProjectPublic: (id: string, isPublic: boolean) => post(firmwarePaths.projectSharing(id), { isPublic }),
    setVersionPublic: (id: string, isPublic: boolean) => post(firmwarePaths.versionSharing(id), { isPublic }),
  };
}

async function created(answer: Promise<LightMyRequestResponse>): Promise<unknown> {
  const { statusCode, body } = await answer;
  if (statusCode !== 201) {
    throw new Error(`${statusCode} ${body}`);
  }
  return JSON.parse(body);
}

/** Encodes the form like a browser. */
export async function encodeForm(
  projectId: string,
  version: TestVersion,
): Promise<{ payload: Buffer; contentType: string }> {
  const { files = [firmwareFile], elf, filesFirst = false, ...given } = version;
  const fields = {
    projectId,
    version: '1.0.0',
    description: 'The first one',
    offsets:
      version.builds === undefined
        ? JSON.stringify(files.map((_, index) => `0x${(index * 0x10000).toString(16)}`))
        : undefined,
    ...given,
  };
  const form = new FormData();
  const addFiles = () => {
    for (const { name, bytes } of files) {
      form.append('files', new Blob([new Uint8Array(bytes)]), name);
    }
    if (elf !== undefined) {
      form.append('elf', new Blob([new Uint8Array(elf.bytes)]), elf.name);
    }
  };
  if (filesFirst) {
    addFiles();
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) {
      form.append(name, value);
    }
  }
  if (!filesFirst) {
    addFiles();
  }
  const encoded = new Response(form);
  return {
    payload: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? '',
  };
}
