import { createBell } from '../src/journal/bell.ts'
import { created, named, said } from '../src/journal/journal.contract.ts'
import { openSqliteJournal } from '../src/journal/sqlite/open-sqlite-journal.ts'

// Fills a data folder, says so on stdout, and then waits to be killed or (with "stop") stops cleanly or (with "die") dies.
const [folder = '', sessions = '0', rounds = '0', ending] = process.argv.slice(2)
const names = Array.from({ length: Number(sessions) }, (_, index) => named(`session-${index + 1}`))
const journal = await openSqliteJournal({ folder, bell: createBell(), checkpointPages: 120 })
for (const name of names) await journal.create(name, [created]).catch(() => undefined)
for (let round = 0; round < Number(rounds); round++) {
  await Promise.all(
    names.map((name, index) =>
      journal.append(name, [said(`word ${round} of ${index}: ${(round * 7919 * (index + 3)).toString(36)}`)]),
    ),
  )
  const resting = names[round % names.length]
  if (resting !== undefined && round % 5 === 0) journal.rest(resting)
}
if (ending === 'die') process.kill(process.pid, 'SIGKILL')
if (ending === 'stop') await journal[Symbol.asyncDispose]()
// The witness looks at least every second: what is older than that must be missed when it is gone.
else await new Promise(resolve => setTimeout(resolve, 1200))
process.stdout.write('ready\n')
if (ending !== 'stop') setInterval(() => {}, 1000)
