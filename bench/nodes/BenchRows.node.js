/** Gives out as many rows as its parameter says. */
exports.BenchRows = class {
	description = {
		displayName: 'Bench Rows',
		name: 'benchRows',
		group: ['transform'],
		version: 1,
		description: 'Rows out of nothing',
		defaults: { name: 'Rows' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [{ displayName: 'Count', name: 'count', type: 'number', default: 1000 }],
	};

	async execute() {
		const count = this.getNodeParameter('count', 0);
		const row = (item) => ({
			json: { recipient: String(6_900_000_000 + item), course: 'Φυσική', grade: String(item % 11) },
			pairedItem: { item: 0 },
		});
		return [Array.from({ length: count }, (_, item) => row(item))];
	}
};
