import type { Language } from "../language.ts";

export const fr: Language = {
  code: "fr",
  everyday: {
    frame: "{who} {verb} {object} {when}.",
    who: "Camille;Julien;Élodie;Mathieu;Céline;Antoine;Aurélie;Benoît;Manon;Thierry;Margaux;Laurent",
    when: "jeudi;ce week-end;demain;ce soir;la semaine prochaine;à midi;après le déjeuner;le soir;cet après-midi;en avril;en novembre;le premier du mois;à sept heures;à neuf heures et demie",
    deeds: [
      "écrit;lit;vérifie;envoie;signe|la lettre;le contrat;la facture;le rapport;le bon de commande;la liste des invités;le communiqué de presse",
      "vend;répare;nettoie;achète;photographie|le vélo;le vieux canapé;la lampe;le bateau en bois;l'horloge murale;la bibliothèque;la table de cuisine",
      "rencontre;appelle;interroge|l'architecte;la maire;le jardinier;la journaliste;le photographe;le tailleur;l'apiculteur",
      "teste;améliore;explique|le panier d'achat;le graphique;le modèle d'impression;la page d'accueil;la galerie d'images;le formulaire de contact",
    ],
  },
  facts: `
    1 Marta est allergique aux cacahuètes et a toujours un stylo d'adrénaline sur elle. => À quoi Marta est-elle allergique ? => Que ne faut-il pas mettre dans le plat quand on cuisine pour Marta ?
    2 L'utilisateur veut des réponses courtes, sans listes à puces. => Quel genre de réponses l'utilisateur veut-il ? => Quelle longueur et quelle forme doivent avoir les messages qu'on lui renvoie ?
    3 Jonas boit son café noir, sans sucre. => Comment Jonas boit-il son café ? => Est-ce que Jonas prend du lait dans ses boissons chaudes ?
    4 Dans l'éditeur, l'utilisateur préfère un thème sombre avec une grande police. => Quel thème l'utilisateur préfère-t-il dans l'éditeur ? => À quoi doit ressembler l'environnement de développement ?
    5 Notre fille adore les dinosaures plus que tout. => Qu'est-ce que notre fille adore le plus ? => Quel cadeau ferait plaisir à notre petite ?
    6 Ines est végétarienne depuis dix ans. => Depuis quand Ines est-elle végétarienne ? => Est-ce qu'Ines mange de la viande ?
    7 En avion, l'utilisateur réserve toujours un siège côté hublot. => Quel siège l'utilisateur réserve-t-il en avion ? => Où l'utilisateur aime-t-il s'asseoir pendant un vol ?
    8 Ma mère n'écoute que de la musique classique, surtout Bach. => Quel genre de musique ma mère écoute-t-elle ? => Quelles places de concert plairaient à maman ?
    9 Tomas dirige l'équipe des paiements depuis mars. => Qui dirige l'équipe des paiements ? => Qui est responsable des personnes qui travaillent sur la facturation ?
    10 L'anniversaire de Priya est le 14 octobre. => Quand est l'anniversaire de Priya ? => Quel jour faut-il féliciter Priya ?
    11 Mon voisin, M. Keller, est un menuisier à la retraite. => Quel était le métier de mon voisin, M. Keller ? => Quel métier exerçait l'homme d'à côté ?
    12 Notre comptable n'est joignable par téléphone que le mardi matin. => Quand notre comptable est-il joignable par téléphone ? => Quand puis-je appeler la personne qui s'occupe de nos impôts ?
    13 Sofia parle couramment le portugais et le néerlandais. => Quelles langues Sofia parle-t-elle ? => Qui pourrait nous traduire une lettre de Lisbonne ?
    14 La nouvelle stagiaire commence le 1er septembre. => Quand la nouvelle stagiaire commence-t-elle ? => Quand l'apprentie nous rejoint-elle ?
    15 Notre propriétaire vit à l'étranger et ne répond que par e-mail. => Où vit notre propriétaire ? => Comment contacter le bailleur de l'appartement ?
    16 Mon frère a déménagé à Oslo l'été dernier. => Où mon frère a-t-il déménagé ? => Dans quelle ville mon frère habite-t-il maintenant ?
    17 L'application mobile doit être terminée avant le salon de mai. => Quand l'application mobile doit-elle être terminée ? => Quelle est l'échéance pour livrer le logiciel pour smartphone ?
    18 Le client a refusé notre première maquette parce qu'elle était trop colorée. => Pourquoi le client a-t-il refusé notre première maquette ? => Pourquoi l'ébauche initiale n'a-t-elle pas plu au commanditaire ?
    19 Le budget du nouvel entrepôt est de 80 000 euros. => Quel est le budget du nouvel entrepôt ? => Combien d'argent pouvons-nous dépenser pour le bâtiment de stockage ?
    20 La traduction du manuel a deux semaines de retard. => Combien de retard a la traduction du manuel ? => De combien sont décalés les guides d'utilisation dans les autres langues ?
    21 Le projet pilote à l'hôpital s'est arrêté plus tôt que prévu parce que les infirmières se plaignaient de la lenteur des écrans. => Pourquoi le projet pilote à l'hôpital s'est-il arrêté plus tôt que prévu ? => Pourquoi a-t-on mis fin à l'essai à la clinique ?
    22 Le nom de code de la réécriture de la recherche est Heron. => Quel est le nom de code de la réécriture de la recherche ? => Comment appelons-nous le nouveau moteur de recherche en interne ?
    23 Une nouvelle version est publiée le premier lundi de chaque mois. => Quand une nouvelle version est-elle publiée ? => À quelle fréquence sortent les mises à jour ?
    24 Le widget météo sera ouvert sous licence MIT. => Sous quelle licence le widget météo sera-t-il ouvert ? => À quelles conditions juridiques donnons-nous le code du composant de prévisions ?
    25 Dans l'environnement de préproduction, Postgres écoute sur le port 5433. => Quel port Postgres utilise-t-il dans l'environnement de préproduction ? => Comment me connecter à la base de données de test ?
    26 Les sauvegardes tournent chaque nuit à trois heures et sont conservées trente jours. => Combien de temps les sauvegardes sont-elles conservées ? => Pendant combien de temps peut-on récupérer des données perdues ?
    27 Les alertes arrivent dans le canal #on-call, pas par e-mail. => Où arrivent les alertes ? => Où s'affichent les avertissements en cas de panne ?
    28 Chaque clé d'API a droit à cent requêtes par minute. => À combien de requêtes par minute une clé d'API a-t-elle droit ? => Combien de fois un client peut-il appeler notre interface avant d'être bridé ?
    29 Les images téléversées ne doivent pas dépasser 10 mégaoctets. => Quelle taille maximale peuvent avoir les images téléversées ? => Quelle taille peut avoir un fichier photo ?
    30 Les serveurs de production se trouvent à Francfort. => Où se trouvent les serveurs de production ? => Où notre système réel est-il hébergé ?
    31 Les mots de passe vont dans le coffre-fort, jamais dans les fichiers d'environnement. => Où vont les mots de passe ? => Où faut-il ranger les secrets ?
    32 Le certificat du site web expire le 30 novembre. => Quand le certificat du site web expire-t-il ? => Avant quelle date devons-nous renouveler TLS ?
    33 Une session se termine après quinze minutes d'inactivité. => Après combien de minutes d'inactivité une session se termine-t-elle ? => Quand un utilisateur qui ne fait rien est-il déconnecté automatiquement ?
    34 Nous avons choisi Kafka plutôt que RabbitMQ parce que les messages doivent pouvoir être rejoués. => Pourquoi avons-nous choisi Kafka ? => Quel courtier de messages avons-nous retenu, et pour quelle raison ?
    35 L'équipe a décidé de ne plus prendre en charge Internet Explorer. => Quel navigateur l'équipe ne prend-elle plus en charge ? => De quel navigateur ne nous soucions-nous plus ?
    36 Les prix augmentent de cinq pour cent en janvier. => De combien les prix augmentent-ils en janvier ? => Combien les clients paieront-ils en plus l'année prochaine ?
    37 Nous n'embauchons personne avant l'été. => Quand allons-nous embaucher de nouveau ? => Y a-t-il des postes à pourvoir en ce moment ?
    38 Toutes les dates sont stockées en UTC. => Dans quel fuseau horaire les dates sont-elles stockées ? => Quel fuseau horaire utilisons-nous pour enregistrer les horodatages ?
    39 Le bureau reste fermé entre Noël et le jour de l'An. => Quand le bureau est-il fermé ? => Quelqu'un travaille-t-il la dernière semaine de décembre ?
    40 Chaque modification doit être approuvée par deux relecteurs. => Combien de relecteurs doivent approuver une modification ? => Combien de personnes doivent examiner une pull request avant sa fusion ?
    41 La planification hebdomadaire est passée du lundi au mercredi à dix heures. => Quand a lieu la planification hebdomadaire ? => Quand nous réunissons-nous pour organiser la semaine ?
    42 Au conseil d'administration, Nadia a présenté les chiffres des ventes. => Qui a présenté les chiffres des ventes au conseil d'administration ? => Qui a parlé du chiffre d'affaires devant la direction ?
    43 L'appel avec le fournisseur a été annulé à cause de la grève. => Pourquoi l'appel avec le fournisseur a-t-il été annulé ? => Pourquoi n'avons-nous pas parlé au sous-traitant ?
    44 La rétrospective a montré que l'exécution des tests dure trop longtemps. => Qu'a montré la rétrospective ? => Qu'est-ce qui gênait le plus les développeurs en repensant au sprint ?
    45 Le script d'import plante si une ligne contient un point-virgule. => Quand le script d'import plante-t-il ? => Quel caractère fait échouer le chargement des données ?
    46 Notre train pour Vienne part à 7 h 42 du quai 9. => À quelle heure part notre train pour Vienne ? => À quelle heure partons-nous en Autriche ?
    47 À Kyoto, nous avons logé dans une petite auberge au bord de la rivière. => Où avons-nous logé à Kyoto ? => Où avons-nous dormi pendant notre voyage au Japon ?
    48 Mon passeport est valable jusqu'en 2031. => Jusqu'à quand mon passeport est-il valable ? => Quand devrai-je demander de nouveaux papiers pour voyager ?
    49 Nous avons loué un camping-car pour nos vacances en Écosse. => Qu'avons-nous loué pour nos vacances en Écosse ? => Avec quel véhicule avons-nous parcouru les Highlands ?
    50 La valise à la roulette cassée est à la cave. => Où est la valise à la roulette cassée ? => Où se trouve le bagage abîmé ?
    51 Grand-père prend chaque matin un comprimé pour la tension. => Que prend grand-père chaque matin ? => Quel médicament papi prend-il ?
    52 Mon rendez-vous chez le dentiste est jeudi à quatre heures et demie. => Quand est mon rendez-vous chez le dentiste ? => Quand vais-je faire contrôler mes dents ?
    53 Le médecin a conseillé à Karim de nager deux fois par semaine pour son dos. => Qu'est-ce que le médecin a conseillé à Karim ? => Quel sport Karim doit-il pratiquer contre la douleur ?
    54 Depuis son opération, tante Rosa ne peut plus monter les escaliers. => Depuis quand tante Rosa ne peut-elle plus monter les escaliers ? => Pourquoi Rosa a-t-elle besoin d'un appartement avec ascenseur ?
    55 Le double de la clé est sous le pot de fleurs bleu. => Où est le double de la clé ? => Comment entrer dans la maison si je me retrouve enfermé dehors ?
    56 La machine à laver fuit pendant l'essorage. => Quand la machine à laver fuit-elle ? => Quel appareil ménager perd de l'eau ?
    57 Le chat n'est nourri que le soir. => Quand le chat est-il nourri ? => À quel moment de la journée notre animal reçoit-il à manger ?
    58 Les vieux papiers sont ramassés un vendredi sur deux. => À quelle fréquence les vieux papiers sont-ils ramassés ? => Quand faut-il sortir les anciens journaux dans la rue ?
    59 La fonction qui analyse les dates échoue les années bissextiles. => Quelles années la fonction qui analyse les dates échoue-t-elle ? => Quel bug avons-nous avec le 29 février ?
    60 Les tests s'exécutent en parallèle, ils ne doivent donc pas partager de dossier temporaire. => Pourquoi les tests ne doivent-ils pas partager de dossier temporaire ? => Pourquoi chaque cas de test a-t-il besoin de son propre répertoire ?
  `,
};
