/** A request remembers that somebody was reminded of it, so that a restart reminds nobody twice. */
export const reminders = `
ALTER TABLE requests ADD COLUMN reminded_at INTEGER;
CREATE INDEX requests_by_age ON requests (asked_at) WHERE state = 'waiting';
CREATE INDEX audit_by_person ON audit (who_id) WHERE who_id IS NOT NULL;
`;
