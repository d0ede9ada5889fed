import { useId, useState, type ReactElement } from 'react'
import { CornerLeftUp, Folder } from 'lucide-react'
import { inertString } from '../safety/inert-text.ts'
import { InertText } from '../safety/inert-text.tsx'
import { folderName } from '../session-summary/folders.ts'
import { Button } from '../ui/button.tsx'
import { Loading } from '../ui/empty.tsx'
import { NotRead } from '../ui/not-read.tsx'
import { useFetched } from '../ui/use-fetched.ts'
import styles from './folder-picker.module.css'
import { useRecentFolders } from './use-folders.ts'

const mostRecent = 5

/** The folder of a new session: typed, one of the recent ones, or found by looking through the allowed folders. */
export function FolderPicker({
  folder,
  onChange,
}: {
  /** Empty for the default one. */
  readonly folder: string
  readonly onChange: (folder: string) => void
}): ReactElement {
  const id = useId()
  const [isBrowsing, setBrowsing] = useState(false)
  const { data } = useFetched(['folder', null], client => client.call('GET /api/folders'))
  const known = useRecentFolders()
  const recent = known.slice(0, mostRecent)
  return (
    <div className={styles['picker']}>
      <label htmlFor={id}>Folder</label>
      <div className={styles['field']}>
        <input
          ref={firstFocus}
          id={id}
          list={`${id}-known`}
          value={folder}
          maxLength={4096}
          placeholder={data === null ? 'The default folder' : inertString(data.default)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
        <datalist id={`${id}-known`}>
          {known.map(each => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <Button aria-expanded={isBrowsing} onClick={() => setBrowsing(!isBrowsing)}>
          Browse
        </Button>
      </div>
      {isBrowsing && (
        <Browser
          at={folder.trim() === '' ? null : folder.trim()}
          first={data?.default ?? null}
          onGo={onChange}
        />
      )}
      {!isBrowsing && recent.length > 0 && (
        <div className={styles['recent']} role="group" aria-label="Recent folders">
          {recent.map(path => (
            <Button
              key={path}
              small
              title={inertString(path)}
              aria-pressed={path === folder}
              onClick={() => onChange(path)}
            >
              <InertText text={folderName(path)} />
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

/** The folders in a folder; choosing one goes into it. */
function Browser({
  at,
  first,
  onGo,
}: {
  /** Null for the default folder. */
  readonly at: string | null
  readonly first: string | null
  readonly onGo: (folder: string) => void
}): ReactElement {
  const path = at ?? first
  const { data, problem, again } = useFetched(
    ['folder', path],
    (client, signal) => client.call('GET /api/folders', { query: path === null ? {} : { path } }, { signal }),
    // While the next folder loads, this one stays.
    { placeholderData: before => before },
  )
  if (problem !== null)
    return (
      <div className={styles['browser']}>
        <NotRead what="folders" problem={problem} onAgain={again} />
        {first !== null && at !== null && <Button onClick={() => onGo('')}>Go to the default folder</Button>}
      </div>
    )
  if (data === null) return <Loading what="folders" />
  const others = data.roots.filter(root => root !== data.path)
  return (
    <div className={styles['browser']} role="group" aria-label="Folders">
      <ul className={styles['list']}>
        {data.parent !== null && <Entry path={data.parent} words="Folder above" isUp onGo={onGo} />}
        {data.parent === null &&
          others.map(root => <Entry key={root} path={root} words={root} onGo={onGo} />)}
        {data.folders.map(({ name, path: each }) => (
          <Entry key={name} path={each} words={name} onGo={onGo} />
        ))}
      </ul>
      {data.folders.length === 0 && <p className={styles['note']}>There are no folders in this folder.</p>}
      {data.isCut && <p className={styles['note']}>There are more folders. Type the path of one.</p>}
    </div>
  )
}

const Entry = ({
  path,
  words,
  isUp = false,
  onGo,
}: {
  readonly path: string
  readonly words: string
  readonly isUp?: boolean
  readonly onGo: (folder: string) => void
}): ReactElement => (
  <li>
    <button type="button" className={styles['entry']} title={inertString(path)} onClick={() => onGo(path)}>
      {isUp ? <CornerLeftUp size={16} aria-hidden /> : <Folder size={16} aria-hidden />}
      <InertText text={words} />
    </button>
  </li>
)

/** A ref for the element to focus when its dialog opens; React's `autoFocus` runs too early for dialogs. */
const firstFocus = (element: HTMLElement | null): void => element?.setAttribute('autofocus', '')
