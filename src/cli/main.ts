#!/usr/bin/env node
// This file is all that an older Node may see, so it has only words that Node 12 can parse.
const { node } = process.versions

if (Number(node.split('.')[0]) < 24) {
  process.stderr.write(
    `Dragoman needs Node 24 or newer, and this is Node ${node}. ` +
      'Install Node 24 from https://nodejs.org, or run: npx -p node@24 -p dragoman dragoman\n',
  )
  process.exitCode = 1
} else {
  void import('./keep-compiled.ts')
    .then(({ keepCompiled }) => {
      keepCompiled(process.env)
      return import('./run-command-line.ts')
    })
    .then(({ start }) => start())
}
