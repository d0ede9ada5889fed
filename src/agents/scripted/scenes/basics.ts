import type { Step } from '../script.ts'
import { begin, every, say } from './saying.ts'

/** How long something stays visible before it changes, in milliseconds. */
const toSee = 1000

/** The plan with a number of finished items. */
const plan = (done: number, delay = 0): Step => ({
  type: 'todos',
  delay,
  todos: ['Look around', 'Change one thing', 'Check that it works'].map((text, at) => ({
    text,
    status: at < done ? 'completed' : at === done ? 'in-progress' : 'pending',
  })),
})

/** One feature at a time, by phrase. */
export const basics: Readonly<Record<string, readonly Step[]>> = {
  thinking: [
    {
      type: 'thinking',
      text: 'The person wants to see me think. I should weigh something small, and then say what came of it.',
      every,
    },
    say('I thought about it for a moment, and you could watch. '),
  ],
  tools: [
    say('I use three tools side by side; one of them will fail. '),
    {
      type: 'tools',
      calls: [
        {
          tool: 'Read',
          input: { path: 'README.md' },
          output: '# A small project\nNothing to see.',
          takes: 300,
        },
        {
          tool: 'Bash',
          input: { command: 'npm test' },
          output: { exitCode: 0, stdout: '3 passed' },
          takes: 600,
        },
        { tool: 'Read', input: { path: 'missing.txt' }, error: 'There is no file missing.txt.', takes: 150 },
      ],
    },
    say('Two worked, and one file was not there. '),
  ],
  'an approval': [
    say('This needs your consent; you may change what I run. '),
    { type: 'approval', tool: 'Bash', input: { command: 'rm -r build' }, output: 'The folder is gone.' },
    say('Thank you for deciding. '),
  ],
  'a question': [
    {
      type: 'question',
      question: 'Which colour shall the door have?',
      options: ['red', 'green', 'blue'],
    },
    say('Thank you, I will remember that. '),
  ],
  'a subagent': [
    say('I send someone to look, who sends someone else. '),
    {
      type: 'subagent',
      agent: 'explorer',
      description: 'Find out how the tests are run',
      steps: [
        say('I read the scripts and let a helper count the tests. '),
        {
          type: 'tools',
          calls: [
            { tool: 'Read', input: { path: 'package.json' }, output: '{"scripts":{"test":"vitest run"}}' },
          ],
        },
        {
          type: 'subagent',
          agent: 'counter',
          description: 'Count the tests',
          steps: [
            { type: 'tools', calls: [{ tool: 'Grep', input: { pattern: 'it\\(' }, output: '42 matches' }] },
            say('There are 42 tests.'),
          ],
        },
        say('Tests run with "npm test", and there are 42.'),
      ],
    },
    say('They found it: "npm test", 42 tests. '),
  ],
  'an image': [say('Here is a small picture. '), { type: 'image' }],
  todos: [
    plan(0),
    say('That is my plan. '),
    plan(1, toSee),
    plan(2, toSee),
    plan(3, toSee),
    say('And now it is carried out. '),
  ],
  'a retraction': [
    {
      type: 'retraction',
      text: 'The capital of Australia is Sydney.',
      instead: 'The capital of Australia is Canberra. ',
      every,
      stands: toSee,
    },
  ],
}

/** Other kinds of approval, by phrase. */
export const questions: Readonly<Record<string, readonly Step[]>> = {
  'a change to approve': [
    say('I would change one line of a file; you see which before I do. '),
    {
      type: 'approval',
      tool: 'Edit',
      input: { file_path: 'src/door.ts', old_string: "colour: 'grey'", new_string: "colour: 'green'" },
      output: 'src/door.ts was changed.',
    },
    say('Then I would write a new file. '),
    {
      type: 'approval',
      tool: 'Write',
      input: { file_path: 'docs/door.md', content: '# The door\n\nIt is green.\n' },
      output: 'docs/door.md was written.',
    },
    say('Nothing else is needed. '),
  ],
}

/** Steps that end the answer, so that nothing can follow. */
export const endings: Readonly<Record<string, readonly Step[]>> = {
  'an error': [
    begin('I begin, but '),
    { type: 'error', kind: 'overloaded', message: 'The model is overloaded. Try again in a minute.' },
  ],
  'a hang': [begin('I wait until you stop me '), { type: 'hang' }],
  'a crash': [
    begin('I am about to '),
    { type: 'log', text: 'Fatal: the demo was asked to crash.' },
    { type: 'crash' },
  ],
}
