import type { ReactElement } from 'react'
import { isPossible, useOffered } from '../keyboard/command.ts'
import { KeyCaps } from '../keyboard/key-caps.tsx'
import { keyTable } from '../keyboard/key-table.ts'
import styles from './shortcut-sheet.module.css'

/** All keys there are, by heading, and where they work. */
export function ShortcutSheet(): ReactElement {
  const possible = new Set(useOffered().flatMap(each => (isPossible(each) ? [each.id] : [])))
  return (
    <div className={styles['sheet']}>
      {Object.entries(keyTable).map(([group, { where, lines }]) => (
        <section key={group} className={styles['group']}>
          <h3 className={styles['heading']}>
            {group} <span className={styles['where']}>{where}</span>
          </h3>
          <dl>
            {Object.entries(lines).map(([id, [title, keys]]) => (
              <div key={id} className={styles['line']}>
                <dt className={possible.has(id) ? undefined : styles['notNow']}>{title}</dt>
                <dd>
                  <KeyCaps keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <p className={styles['note']}>
        Single-letter shortcuts work only while you are not typing in a field. Shortcuts in gray are not
        available right now.
      </p>
    </div>
  )
}
