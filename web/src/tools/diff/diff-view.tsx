import { useMemo, useState, type ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import { inertString } from '../../safety/inert-text.ts'
import { counted } from '../../ui/amounts.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import type { ShownCall } from '../sections/shown-call.ts'
import { LineCounts } from '../views/line-counts.tsx'
import { changedWords, type Piece } from './changed-words.ts'
import styles from './diff-view.module.css'
import { countOf, type DiffLine, type FileDiff, type Hunk } from './file-diff.ts'
import { useDiff } from './use-diff.ts'

/** How many lines are shown at first, and with every further press. */
const room = { first: 60, more: 400 }

/** What a call changes, file by file. */
export const DiffView = ({ call }: { readonly call: ShownCall }): ReactElement => (
  <DiffFiles files={useDiff(call)} />
)

/** Changed files, one below the other. */
export const DiffFiles = ({ files }: { readonly files: readonly FileDiff[] }): ReactElement => (
  <div className={styles['files']}>
    {files.map((file, at) => (
      <File key={at} file={file} />
    ))}
  </div>
)

const kinds: Readonly<Record<FileDiff['kind'], string>> = {
  add: 'new',
  delete: 'deleted',
  update: '',
  write: '',
}

function File({ file }: { readonly file: FileDiff }): ReactElement {
  const { path, movedTo, kind, hunks, tooLarge = false, comparing = false } = file
  const [most, setMost] = useState(room.first)
  const all = hunks.reduce((sum, hunk) => sum + hunk.length, 0)
  const isNumbered = hunks.some(hunk => hunk.some(({ before, after }) => before !== null || after !== null))
  return (
    <div className={styles['file']}>
      <div className={styles['head']}>
        <span className={styles['path']}>
          <InertText text={movedTo === undefined ? path : `${path} → ${movedTo}`} />
        </span>
        {kinds[kind] !== '' && <span className={styles['kind']}>{kinds[kind]}</span>}
        {!comparing && <LineCounts {...countOf(file)} />}
      </div>
      {comparing && (
        <p className={styles['note']} role="status">
          Comparing…
        </p>
      )}
      {tooLarge && (
        <p className={styles['note']}>
          This edit is too large to compare. All old lines are shown first, then all new lines.
        </p>
      )}
      <div
        className={styles['scroll']}
        tabIndex={0}
        role="group"
        aria-label={inertString(`Changes in ${path}`)}
      >
        <div className={classNames(styles['hunks'], !isNumbered && styles['bare'])}>
          {cutTo(hunks, most).map((hunk, at) => (
            <HunkView key={at} hunk={hunk} />
          ))}
        </div>
      </div>
      {all > most && (
        <div className={styles['more']}>
          <Button
            small
            onClick={() => setMost(most + room.more)}
          >{`Show more (${counted(all - most, 'line')} left)`}</Button>
        </div>
      )}
    </div>
  )
}

function cutTo(hunks: readonly Hunk[], most: number): readonly Hunk[] {
  let left = most
  return hunks.flatMap(hunk => {
    const shown = hunk.slice(0, Math.max(0, left))
    left -= hunk.length
    return shown.length === 0 ? [] : [shown]
  })
}

function HunkView({ hunk }: { readonly hunk: Hunk }): ReactElement {
  const words = useMemo(() => changedWords(hunk), [hunk])
  return (
    <div className={styles['hunk']}>
      {hunk.map((line, at) => (
        <Line key={at} line={line} pieces={words.get(at)} />
      ))}
    </div>
  )
}

const looks = { '+': 'added', '-': 'removed', ' ': 'kept' } as const

function Line({
  line: { sign, text, before, after },
  pieces,
}: {
  readonly line: DiffLine
  readonly pieces: readonly Piece[] | undefined
}): ReactElement {
  const Words = sign === '+' ? 'ins' : sign === '-' ? 'del' : 'span'
  return (
    <div className={classNames(styles['line'], styles[looks[sign]])}>
      <span className={styles['number']}>{before}</span>
      <span className={styles['number']}>{after}</span>
      <span className={styles['sign']} aria-hidden>
        {sign === '-' ? '−' : sign}
      </span>
      <Words className={styles['words']}>
        {pieces === undefined ? (
          <InertText text={text} />
        ) : (
          pieces.map((piece, at) => <Word key={at} {...piece} />)
        )}
      </Words>
    </div>
  )
}

const Word = ({ text, changed }: Piece) =>
  changed ? (
    <span className={styles['word']}>
      <InertText text={text} />
    </span>
  ) : (
    <InertText text={text} />
  )
