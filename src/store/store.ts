import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import type { DragomanError } from '../protocol/error.ts'

/** The journal, the bell that rings after its commits, and the catalogue of one database. */
export interface Store extends AsyncDisposable {
  readonly journal: Journal
  readonly bell: Bell
  readonly catalogue: Catalogue
  /** Why nothing can be saved or read at the moment; null when all is well. */
  health(): DragomanError | null
  /** Resolves with the reason when nothing can be saved any more. Only a restart helps then. */
  readonly broken: Promise<DragomanError>
}

/** The local data folder of a process, for any database. */
export interface NodeFolder {
  /** It also contains the records of agents' processes, and lines that are too long for memory. */
  readonly folder: string
  /** Publishes the URL of this process for other processes that want the folder. */
  announce(url: string): void
}
