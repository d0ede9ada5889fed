import type { ReactElement } from 'react'
import { usageCsv, type Usage } from 'dragoman/client/usage'
import { Button } from '../ui/button.tsx'
import { saveFile } from '../ui/save-file.ts'
import styles from './dashboard-page.module.css'

/** Downloads usage as comma-separated values or as JSON. */
export function Downloads({ usage, name }: { readonly usage: Usage; readonly name: string }): ReactElement {
  const save = (text: string, type: string, ending: string) =>
    saveFile(new Blob([text], { type }), `usage-by-${name}.${ending}`)
  return (
    <span className={styles['downloads']}>
      <Button
        small
        aria-label={`Download usage by ${name} as CSV`}
        onClick={() => save(usageCsv(usage), 'text/csv', 'csv')}
      >
        CSV
      </Button>
      <Button
        small
        aria-label={`Download usage by ${name} as JSON`}
        onClick={() => save(`${JSON.stringify(usage, null, 2)}\n`, 'application/json', 'json')}
      >
        JSON
      </Button>
    </span>
  )
}
