"""Groups of a weighted graph by asynchronous label propagation (`networkx`, asyn_lpa_communities)."""

from collections.abc import Mapping

_SEED = 20261130  # the same graph gives the same groups


def find_groups(edges: Mapping[tuple[int, int], float]) -> list[list[int]]:
    """Disjoint groups of the nodes that edges join, each ascending, largest first.

    `edges`: weight > 0 by pair. Nodes without an edge are in no group.
    """
    import networkx as nx  # a quarter of a second, and only fusion needs it

    graph = nx.Graph()
    graph.add_nodes_from(sorted({node for pair in edges for node in pair}))
    graph.add_weighted_edges_from((*pair, edges[pair]) for pair in sorted(edges))
    found = nx.community.asyn_lpa_communities(graph, weight="weight", seed=_SEED)
    return sorted((sorted(group) for group in found), key=lambda group: (-len(group), group))
