/** Flasher documentation: files in the flash of a board. */
import type { DocsSection } from '../docs-model.ts';
import { DocsTable, Subheading } from '../docs-parts.tsx';

export const boardFiles: DocsSection = {
  id: 'board-files',
  title: 'Files on the board',
  body: (
    <>
      <p>
        Many programs keep web pages, settings or logs as files in a partition of their own. Open it in “On the board”
        to see the files and folders, look into them and change them. What you change is collected in the plan at the
        top of the page, and one Write carries it out.
      </p>
      <Subheading id="files-example" title="Example: change a setting" />
      <p>
        Connect the Demo ESP32 and open storage in “On the board”. Press <code>settings.json</code> and change a number
        in its text. The changed line is marked, and the plan says <code>/settings.json changed</code> and how many
        sectors will be written. Drop a picture on the list: it is new, and the part of the bar that it will take is
        blue. Press Write. Connect and open the partition again: the files are as you left them.
      </p>
      <Subheading id="files-edit" title="What you can do" />
      <DocsTable
        label="Actions on files"
        head={['Action', 'How']}
        rows={[
          ['Upload', 'Button, or drop files and folders. They go into the chosen folder.'],
          ['Edit a text', 'Type in it. Texts of up to 128 KB can be edited; larger files can be saved and uploaded.'],
          ['Rename or move', 'Pencil, or F2. Type another path: /log/old.txt.'],
          ['Delete', 'Bin, or the Delete key. A folder is deleted with all that is in it.'],
          ['Take back', 'Undo beside the file, or Undo all beside Write.'],
          ['Save', 'One file by its arrow, all of them as a zip.'],
          ['Format', 'In the menu: empties the partition, or makes another file system.'],
        ]}
      />
      <p>
        Only sectors that change are written. A file that does not fit is refused before anything is written, and the
        plan stays as it was.
      </p>
      <Subheading id="files-kinds" title="Which file systems" />
      <DocsTable
        label="File systems"
        head={['Name', 'What is read and written']}
        rows={[
          ['LittleFS', 'Disk versions 2.0 and 2.1, any block size. Version 1 is recognised.'],
          ['SPIFFS', 'As ESP-IDF and the Arduino cores make it. Folders are only a part of names.'],
          ['FAT', 'FAT12, FAT16 and FAT32 with long names, with ESP-IDF’s wear levelling or without.'],
        ]}
      />
      <p>
        The kind is found out from the contents, not from the partition table: Arduino keeps LittleFS in a partition of
        type spiffs. Damage, unusual block sizes and read-only files are said above the list. A damaged LittleFS, and a
        FAT whose files share data, can only be read. An encrypted partition cannot be read.
      </p>
      <Subheading id="files-folder" title="A file system for a release" />
      <p>
        “Add files”, then “File system from a folder…”, makes the image of a whole partition from a folder on your
        computer, for example the <code>data</code> folder of a PlatformIO project. Choose the kind that the firmware
        mounts, and the partition of the connected board, or type offset and size as in your partition table. The image
        joins the files at that offset. It is written like every other file, and replaces what was in the partition.
      </p>
    </>
  ),
};
