import type { ReactElement } from 'react'
import type { Tokens } from 'marked'
import { classNames } from '../ui/class-names.ts'
import { Inline } from './inline.tsx'
import styles from './markdown.module.css'

/** A table; one wider than the text scrolls sideways, also by keys. */
export const Table = ({ token: { header, rows } }: { readonly token: Tokens.Table }): ReactElement => (
  <div
    className={classNames(styles['table'], 'scrolls-sideways')}
    role="group"
    aria-label="Table"
    tabIndex={0}
  >
    <table>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index} className={alignOf(cell)} scope="col">
              <Inline tokens={cell.tokens} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column} className={alignOf(cell)}>
                <Inline tokens={cell.tokens} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

const alignOf = ({ align }: Tokens.TableCell) => (align ? styles[align] : undefined)
