import { type ReactElement, useState } from 'react'
import { Download } from 'lucide-react'
import { bytes } from '../ui/amounts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import type { Form } from './use-inspection.ts'
import { JsonWords } from './json-words.tsx'
import type { Line } from './line.ts'
import styles from './raw-words.module.css'
import { useClient } from 'dragoman/react'
import { saveFile } from '../ui/save-file.ts'
import { toastError } from '../ui/toast.ts'

/** The native line of an entry, or its fields where there is none. */
export function RawWords({
  session,
  line,
  form,
}: {
  readonly session: string
  readonly line: Line
  readonly form: Form
}): ReactElement {
  const used = useRaw(session, line.seq)
  const raw = used.whole ?? line.raw
  const text = raw ?? JSON.stringify(line.facts)
  return (
    <>
      <div className={styles['head']}>
        <h2>{raw === null ? 'No native line' : 'Native line'}</h2>
        <span className={styles['size']}>{raw !== null && sizeOf(raw, line.wholeBytes)}</span>
        <CopyButton text={text} label={raw === null ? 'Copy entry' : 'Copy line'} />
        {raw !== null && (
          <IconButton label="Download line" onClick={used.download}>
            <Download size={16} aria-hidden />
          </IconButton>
        )}
      </div>
      <Notes line={line} used={used} />
      <JsonWords text={text} form={form} />
    </>
  )
}

/** Longer lines can only be downloaded: a page can't display them. */
const mostLoaded = 64 << 20

/** What is not shown of a line, and how to get it. */
const Notes = ({
  line: { hasOtherBytes, wholeBytes },
  used: { whole, isLoading, load },
}: {
  readonly line: Line
  readonly used: UsedRaw
}) => (
  <>
    {hasOtherBytes && (
      <p className={styles['note']}>
        Some bytes are not valid text and show as �. Download the line to get the original bytes.
      </p>
    )}
    {wholeBytes !== null && whole === null && (
      <p className={styles['note']}>
        {`Showing the first part of ${bytes(wholeBytes)}.`}
        {wholeBytes > mostLoaded ? (
          ' Download the line to see all of it.'
        ) : (
          <Button small disabled={isLoading} onClick={load}>
            {isLoading ? 'Loading…' : 'Load all'}
          </Button>
        )}
      </p>
    )}
  </>
)

const sizeOf = (raw: string, wholeBytes: number | null) =>
  bytes(wholeBytes ?? (raw.length > 1 << 20 ? raw.length : new TextEncoder().encode(raw).length))

/** A native line from the server: loaded whole on demand, or downloaded as a file. */
interface UsedRaw {
  /** Null until it was loaded. */
  readonly whole: string | null
  readonly isLoading: boolean
  readonly load: () => void
  readonly download: () => void
}

/** Loads the whole native line, byte for byte. */
function useRaw(session: string, seq: number): UsedRaw {
  const client = useClient()
  const [whole, setWhole] = useState<string | null>(null)
  const [isLoading, setLoading] = useState(false)
  const request = () =>
    client.request('GET /api/sessions/:session/entries/:seq/raw', { params: { session, seq: String(seq) } })
  const load = async () => {
    setLoading(true)
    await request()
      .then(response => response.text())
      .then(setWhole, toastError)
    setLoading(false)
  }
  const download = () =>
    request()
      .then(response => response.blob())
      .then(blob => saveFile(blob, `${session}-${seq}.raw`))
      .catch(toastError)
  return { whole, isLoading, load: () => void load(), download: () => void download() }
}
