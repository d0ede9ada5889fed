import { useEffect, useRef, useState, type ReactElement } from 'react'
import { useClient } from 'dragoman/react'
import { nameOf } from '../session-summary/session-face.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { saveFile } from '../ui/save-file.ts'
import { exportForms, exportSession, fileName, type ExportForm } from './export-session.ts'
import styles from './session-dialogs.module.css'

interface Exported {
  readonly id: string
  readonly title: string | null
}

/** Exports a session as a file. */
export const ExportDialog = ({
  session,
  open,
  onClose,
}: {
  readonly session: Exported
  readonly open: boolean
  readonly onClose: () => void
}): ReactElement => (
  <Dialog open={open} title="Export" onClose={onClose}>
    <Forms session={session} onDone={onClose} />
  </Dialog>
)

function Forms({
  session,
  onDone,
}: {
  readonly session: Exported
  readonly onDone: () => void
}): ReactElement {
  const { progress, problem, take } = useExport(session, onDone)
  return (
    <div className={styles['body']}>
      <ul className={styles['forms']}>
        {(Object.keys(exportForms) as ExportForm[]).map(form => (
          <li key={form} className={styles['form']}>
            <span>
              <strong>{exportForms[form].title}</strong>
              <span className={styles['about']}>{exportForms[form].about}</span>
            </span>
            <Button
              disabled={progress !== null}
              onClick={() => take(form)}
              aria-label={`Download ${exportForms[form].title}`}
            >
              Download
            </Button>
          </li>
        ))}
      </ul>
      <p role="status" className={problem === null ? styles['about'] : styles['problem']}>
        {problem ?? progress}
      </p>
    </div>
  )
}

/** Exports and saves; closing the dialog cancels it. */
function useExport({ id, title }: Exported, onDone: () => void) {
  const client = useClient()
  const stop = useRef<AbortController | null>(null)
  const [progress, setProgress] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const take = (form: ExportForm) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    setProblem(null)
    setProgress('Reading…')
    const done = (file: Blob) => {
      saveFile(file, fileName(nameOf({ title }), form))
      onDone()
    }
    const failed = (error: Error) => {
      if (signal.aborted) return
      setProgress(null)
      setProblem(error.message)
    }
    exportSession(client, id, form, count => setProgress(`Reading… ${count}`), signal).then(done, failed)
  }
  return { progress, problem, take }
}
