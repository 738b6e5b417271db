/** Release manager documentation: what it is and the first release. */
import { defaultReleaseLimits, pagePaths } from '@wirebench/contract/constants';
import { Link } from 'react-router';
import { WatchButton } from '../../../shared/videos/watch-button.tsx';
import type { DocsGroup } from '../docs-model.ts';
import { DocsPicture } from '../docs-picture.tsx';

export const start: DocsGroup = {
  name: 'Start',
  sections: [
    {
      id: 'overview',
      title: 'Overview',
      body: (
        <>
          <p>
            The release manager keeps firmware as projects with versions, and turns each into a link. Anyone who opens
            the link sees what it is, which chip it is for and who made it, and can flash it from the browser: no
            archive, no tools, no offsets in a chat message.
          </p>
          <DocsPicture
            name="releases"
            alt="The release manager with the project weather-node: it is public, and has two of three versions with their files."
          >
            A public project with two versions.
          </DocsPicture>
        </>
      ),
    },
    {
      id: 'authentication',
      title: 'Authentication',
      body: (
        <>
          <p>
            Sign in to create projects. People who open your links need no account. A server on your own laptop has demo
            accounts; on other servers, sign in with your account at the server’s identity provider.
          </p>
          <p>
            Build servers use a publishing token. It is made for one project and can only publish versions of it. It is
            shown once when you create it, the list says when it was last used, and you can revoke it at any time. It
            also stops working when you have not signed in for a long time.
          </p>
        </>
      ),
    },
    {
      id: 'quick-start',
      title: 'Quick start',
      body: (
        <>
          <ol>
            <li>
              <Link to={pagePaths.releases} className="link">
                Open the release manager
              </Link>{' '}
              and sign in.
            </li>
            <li>Create a project: a name, the chip family and the model.</li>
            <li>Add a version: drop the files of your build, and say what is new.</li>
            <li>Make the project and the version public, and share the link.</li>
          </ol>
          <p>
            <WatchButton video="releases">Watch a first release</WatchButton>
          </p>
        </>
      ),
    },
    {
      id: 'project-management',
      title: 'Project management',
      body: (
        <p>
          A project is one firmware for one kind of board. You can keep {defaultReleaseLimits.projects} of them, unless
          the operator of the server has set a different number. Each of your projects needs its own name. Deleting a
          project deletes its versions and their files.
        </p>
      ),
    },
    {
      id: 'version-control',
      title: 'Version control',
      body: (
        <p>
          A version is a set of files with their addresses and notes in Markdown. Once created, its files never change;
          you can only edit its description, publish it and delete it. So what people flash under a version number never
          changes. Two versions can be compared. A project keeps {defaultReleaseLimits.versions} versions, unless the
          server is set up differently.
        </p>
      ),
    },
    {
      id: 'sharing-distribution',
      title: 'Sharing and distribution',
      body: (
        <p>
          New projects and versions are private. A version is visible to others only while both it and its project are
          public. Making something private takes effect at once: its link stops working, and the same link works again
          once it is public again.
        </p>
      ),
    },
    {
      id: 'firmware-upload',
      title: 'Firmware upload',
      body: (
        <p>
          Files are stored once they have arrived completely and their hash is known; an upload that is cancelled or
          interrupted leaves nothing behind. The hash is shown on the release page and checked by the flasher.
        </p>
      ),
    },
  ],
};
