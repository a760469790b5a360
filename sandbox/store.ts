import { DatabaseSync } from 'node:sqlite';

/** The stored lists. Each has its own table. */
const lists = ['person', 'message', 'text', 'call', 'pending'] as const;
type List = (typeof lists)[number];

/** An entry of a list, with the id that it has in the database. */
export type Stored<T> = T & { id: number };

/**
 * Stores the state of the sandbox in an embedded SQLite database. The sandbox reads its lists from memory, and writes every
 * change to the database too. A new process begins with the stored lists.
 *
 * A row contains the id of an entry, and the entry as JSON.
 */
export class Store {
	/** The number of changes so far. If it has not grown since a client read the state, that client has the current state. */
	changes = 0;
	private readonly database: DatabaseSync;
	private readonly last = new Map<List, number>();

	/** @param path a file, which is created if it is missing. `:memory:` keeps the data only in this process */
	constructor(path: string) {
		this.database = new DatabaseSync(path);
		// A power failure may lose the latest changes. A crash of the sandbox loses none.
		this.database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
		this.database.exec('CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL)');
		for (const list of lists) {
			this.database.exec(`CREATE TABLE IF NOT EXISTS ${list} (id INTEGER PRIMARY KEY, entry TEXT NOT NULL)`);
		}
	}

	/** Returns every entry of a list, oldest first. */
	all<T>(list: List): Array<Stored<T>> {
		const rows = this.database.prepare(`SELECT id, entry FROM ${list} ORDER BY id`).all();
		this.last.set(list, Number(rows.at(-1)?.id ?? 0));
		return rows.map(({ id, entry }) => ({ ...(JSON.parse(String(entry)) as T), id: Number(id) }));
	}

	/** Adds an entry. @returns the entry with its id */
	add<T extends object>(list: List, entry: T): Stored<T> {
		const id = (this.last.get(list) ?? 0) + 1;
		this.last.set(list, id);
		this.run(`INSERT INTO ${list} (id, entry) VALUES (?, ?)`, id, JSON.stringify(entry));
		return { ...entry, id };
	}

	/** Writes a changed entry, unless it was removed from the list. */
	change(list: List, { id, ...entry }: Stored<object>): void {
		this.run(`UPDATE ${list} SET entry = ? WHERE id = ?`, JSON.stringify(entry), id);
	}

	remove(list: List, id: number): void {
		this.run(`DELETE FROM ${list} WHERE id = ?`, id);
	}

	empty(list: List): void {
		this.run(`DELETE FROM ${list}`);
	}

	setting<T>(name: string): T | undefined {
		const row = this.database.prepare('SELECT value FROM setting WHERE name = ?').get(name);
		return row && (JSON.parse(String(row.value)) as T);
	}

	keepSetting(name: string, value: unknown): void {
		this.run('INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)', name, JSON.stringify(value));
	}

	/** Closes the database. Later changes are ignored: calls may still be in progress when the sandbox ends. */
	close(): void {
		if (this.database.isOpen) this.database.close();
	}

	private readonly statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

	private run(sql: string, ...values: Array<string | number>): void {
		if (!this.database.isOpen) return;
		const statement = this.statements.get(sql) ?? this.database.prepare(sql);
		this.statements.set(sql, statement);
		statement.run(...values);
		this.changes++;
	}
}
