import { describeJournal } from './journal.contract.ts'
import { createMemoryJournal } from './memory.ts'

describeJournal('memory', async bell => createMemoryJournal(bell))
