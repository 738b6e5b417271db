/** Flasher documentation: looking at stored settings (NVS) and changing them. */
import type { DocsSection } from '../docs-model.ts';
import { CodeBlock, DocsTable, Subheading } from '../docs-parts.tsx';

const csvExample = `key,type,encoding,value
app,namespace,,
interval_s,data,u16,300
name,data,string,"Greenhouse, north"
wifi,namespace,,
ssid,data,string,Workshop
password,data,string,change me
`;

export const storedSettings: DocsSection = {
  id: 'stored-settings',
  title: 'Stored settings (NVS)',
  body: (
    <>
      <p>
        Programs for ESP32 chips keep their settings in a partition called nvs: Wi-Fi, names, counters, calibration.
        Open it in “On the board” to see each key with its type and value. What you change is collected in the plan at
        the top of the page, and one Write carries it out. Every other key stays as it is.
      </p>
      <Subheading id="nvs-example" title="Example: change an interval" />
      <p>
        Connect the Demo ESP32 and open nvs in “On the board”. Press the value 60 beside <code>interval_s</code>, type
        300 and press Enter. The row now says “was 60”, and the plan says <code>app/interval_s 60 → 300</code>. Press
        Write. When the board is connected again, the partition holds the new value, and the view says which keys
        changed since it was read before.
      </p>
      <Subheading id="nvs-editing" title="Values and types" />
      <p>
        “Add a key” adds a key to a namespace, the cross deletes one, and the arrow takes a change back. Names have at
        most 15 bytes.
      </p>
      <DocsTable
        label="Types of values in NVS"
        head={['Type', 'Value', 'How you type it']}
        mono
        rows={[
          ['u8 … u64', 'whole numbers from 0', '300, or 0x12C'],
          ['i8 … i64', 'whole numbers with a sign', '-12, or its bits: 0xFFF4 as i16'],
          ['str', 'text, at most 3,999 bytes of UTF-8', 'Shift and Enter begin a new line'],
          ['blob', 'bytes', 'text, or hex: 7C DF A1'],
        ]}
      />
      <p>
        Only the sectors that change are written, in the order in which ESP-IDF itself writes: if the power fails
        between two of them, each key has its old or its new value. If the partition has no space for a change, the page
        says so before anything is written.
      </p>
      <Subheading id="nvs-secrets" title="Passwords and keys" />
      <p>
        Values whose names suggest a password, a token or a key are dots until you press the eye. You can replace them
        without showing them. They are never in the plan, the log or the receipt, and guests of a shared bench do not
        see the bytes while the partition is read or written.
      </p>
      <Subheading id="nvs-csv" title="CSV, images and other boards" />
      <p>
        The menu at the end of the search bar saves the keys as CSV for Espressif’s <code>nvs_partition_gen.py</code>.
        Secret values are left out unless you switch them on. “Take keys over from a file…” opens a CSV, the image of an
        NVS partition of any size, or a backup of a board; you can also drop the file on the list. The page shows what
        differs from the board and takes the keys that you choose over into the plan. Lines that cannot be read are
        listed with their numbers.
      </p>
      <p>
        A plan that erases or changes nvs offers a backup first. After the write, “Compare” lists what has changed since
        the page read nvs before, also when a new partition table has moved the partition or given it another size, and
        takes keys back over.
      </p>
      <CodeBlock name="settings.csv" text={csvExample} />
      <Subheading id="nvs-not-editable" title="What cannot be edited" />
      <p>
        Encrypted NVS can only be read by its program: the page says so, and you can still back the partition up.
        Entries that are erased, damaged or left over are listed below the keys. Radio calibration (<code>phy</code>)
        and Bluetooth pairings are better left alone: the chip makes them again, or devices have to be paired again.
      </p>
    </>
  ),
};
