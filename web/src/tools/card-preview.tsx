import { useMemo, type ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { withoutAnsi } from '../safety/inert-text.ts'
import styles from './card-preview.module.css'
import type { Preview } from './preview.ts'

/** What a closed card says under its line: an error, or the end of what is printed. */
export function CardPreview({ kind, text }: Preview): ReactElement {
  const plain = useMemo(() => withProgress(withoutAnsi(text)), [text])
  return (
    <pre className={styles[kind]}>
      <InertText text={plain} />
    </pre>
  )
}

/** Of a line that was written over and over, what it says in the end. */
const withProgress = (text: string) =>
  text
    .replaceAll('\r\n', '\n')
    .replaceAll(/^.*\r(?=[^\n])/gm, '')
    .replaceAll('\r', '')
