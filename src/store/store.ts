import type { Catalogue } from '../catalogue/catalogue.ts'
import type { Bell, Journal } from '../journal/journal.ts'
import type { DragomanError } from '../protocol/error.ts'

/** What a database gives: the journal, the bell that rings after its commits, and the catalogue. */
export interface Store extends AsyncDisposable {
  readonly journal: Journal
  readonly bell: Bell
  readonly catalogue: Catalogue
  /** Why nothing can be saved or read at the moment; null when all is well. */
  health(): DragomanError | null
  /** Resolves with the reason when nothing can be saved any more. Only a restart helps then. */
  readonly broken: Promise<DragomanError>
}

/** The data folder of a process, on its own machine, whatever the database is. */
export interface NodeFolder {
  /** Also holds the records of agents' processes, and lines that are too long for memory. */
  readonly folder: string
  /** Tells other processes that want the folder where to reach this one. */
  announce(url: string): void
}
