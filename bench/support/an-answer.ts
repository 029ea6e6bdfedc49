/** A long answer as Claude writes them: prose, lists, code, a table, links, names of files. About 20 kB. */
export function anAnswer(): string {
  return Array.from({ length: 11 }, (_, index) => section(index + 1)).join("\n");
}

function section(number: number): string {
  return `## ${number}. What I changed in \`src/queue/worker-${number}.ts\`

The worker took a job **before** the transaction that marks it as taken was committed, so two workers could run
the same job. I moved the claim into one \`UPDATE … WHERE state = 'waiting'\`, which either changes the row or tells
us that somebody was faster; see [the notes on locking](https://www.sqlite.org/lockingv3.html) and README.md.

1. *Claim first.* \`claim()\` returns \`undefined\` when the job is gone, and the caller goes on with the next one.
2. *Then work.* Nothing is awaited between the claim and the first write, so a crash leaves either both or none.
3. *Then finish.* The result and the state are written together:
   - \`done\` with the result's id,
   - \`failed\` with the reason, at most 200 characters of it,
   - ~~\`lost\`~~ is no longer a state: a job that is not finished is waiting again after ${number} minutes.

\`\`\`ts
export function claim(db: Database, now: number): Job | undefined {
  const row = db
    .prepare("UPDATE jobs SET state = 'taken', taken_at = ? WHERE id = (SELECT id FROM jobs WHERE state = 'waiting' LIMIT 1) RETURNING *")
    .get(now);
  return row === undefined ? undefined : toJob(row); // worker ${number}
}
\`\`\`

| test | before | after |
|---|---:|---:|
| two workers, one job | ran twice | runs once |
| kill -9 in the middle | lost | waits again |
| 10 000 jobs | 41 s | ${20 + number} s |

> I did not touch \`src/queue/legacy.ts\`: nothing imports it any more, but the deploy script still names it.

Run \`npm test -- queue\` to see it; the new tests are in test/queue/worker-${number}.test.ts. Tell me if you would rather keep the
old retry count (**3**), I set it to 5 because the mail server at smtp.example.com answers slowly in the morning.
`;
}
