import type { ReactElement } from 'react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { classNames } from '../ui/class-names.ts'
import styles from './card-sentence.module.css'

/** So short, folders are never cut. */
const shortest = 3

/** What happened. Commands are highlighted; a long path keeps the file name visible longest. */
export const CardSentence = ({
  text,
  folder,
}: {
  readonly text: string
  /** The folders before the name of a file in it. */
  readonly folder: string | null
}): ReactElement => (
  <span className={styles['sentence']} title={inertString(text)}>
    <Pieces text={text} folder={folder} />
  </span>
)

function Pieces({ text, folder }: { readonly text: string; readonly folder: string | null }): ReactElement {
  const [first, last] = [text.indexOf('`'), text.lastIndexOf('`')]
  if (first !== last)
    return (
      <span className={styles['rest']}>
        <InertText text={text.slice(0, first)} />
        <code>
          <InertText text={text.slice(first + 1, last)} />
        </code>
        <InertText text={text.slice(last + 1)} />
      </span>
    )
  const at = folder === null ? -1 : text.indexOf(folder)
  if (folder === null || at === -1)
    return (
      <span className={styles['rest']}>
        <InertText text={text} />
      </span>
    )
  return (
    <>
      <span className={styles['verb']}>
        <InertText text={text.slice(0, at)} />
      </span>
      <span className={classNames(styles['folder'], folder.length > shortest && styles['long'])}>
        <InertText text={folder} />
      </span>
      <span className={styles['rest']}>
        <InertText text={text.slice(at + folder.length)} />
      </span>
    </>
  )
}
