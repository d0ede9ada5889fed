import type { ReactElement } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { isPossible, useOffered, type Command } from './command.ts'
import { KeyCaps } from './key-caps.tsx'
import styles from './shortcut-sheet.module.css'

/** The keys of everything that can be done here, by heading. */
export const ShortcutSheet = ({
  open,
  onClose,
}: {
  readonly open: boolean
  readonly onClose: () => void
}): ReactElement => (
  <Dialog open={open} title="Keyboard" shape="wide" onClose={onClose}>
    <Keys />
  </Dialog>
)

type Keyed = Command & { readonly keys: NonNullable<Command['keys']> }

function Keys(): ReactElement {
  const keyed = useOffered().filter((each): each is Keyed => each.keys !== undefined && each.keys.length > 0)
  const groups = [...Map.groupBy(keyed, ({ group }) => group)]
  return (
    <div className={styles['sheet']}>
      {groups.map(([group, commands]) => (
        <section key={group} className={styles['group']}>
          <h3 className={styles['heading']}>{group}</h3>
          <dl>
            {commands.map(command => (
              <div key={command.id} className={styles['line']}>
                <dt className={isPossible(command) ? undefined : styles['notNow']}>{command.title}</dt>
                <dd>
                  <KeyCaps keys={command.keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={styles['note']}>
        Single letters count only while you are not typing in a field. What is grey cannot be done at the
        moment.
      </p>
    </div>
  )
}
